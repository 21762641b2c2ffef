import { useSignedIn } from "../session/session-context.js";
import type { ShownBatch } from "./retrieveBatch.js";
import { useOperation } from "./use-operation.js";

interface BatchCost {
  /** `undefined` while it is not known. */
  readonly usd: number | null | undefined;
  /** Lines whose cost is not in the amount. */
  readonly unpriced: number;
}

/** The cost of a batch's lines, by the report of usage. It is asked again when more lines have ended. */
export function useBatchCost({ id, status, request_counts: { completed, failed } }: ShownBatch): BatchCost {
  const isOperator = useSignedIn().session.kind === "operator";
  const operation = isOperator ? "retrieveUsage" : "retrieveOwnUsage";
  const { data } = useOperation([operation, "batch", id, status, completed + failed], (client, signal) =>
    client[operation]({ batch: id }, { signal }),
  );
  return { usd: data?.totals.cost_usd, unpriced: data?.totals.unpriced_requests ?? 0 };
}
