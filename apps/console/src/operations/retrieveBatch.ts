import { unwrap } from "@model-gateway/client";
import { useQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { isSettling, refreshAfter } from "./running-refresh.js";
import type { Schemas } from "./schemas.js";

/** A batch, as its caller or an operator sees it. */
export type ShownBatch = Schemas["Batch"] | Schemas["AdminBatch"];

export function useRetrieveBatch(id: string) {
  const { client, session } = useSignedIn();
  const isOperator = session.kind === "operator";
  return useQuery({
    queryKey: [isOperator ? "retrieveAnyBatch" : "retrieveBatch", id],
    queryFn: async ({ signal }): Promise<ShownBatch> =>
      isOperator
        ? unwrap(await client.retrieveAnyBatch(id, { signal }))
        : unwrap(await client.retrieveBatch(id, { signal })),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      refreshAfter({
        isRunning: data !== undefined && isBatchChanging(data),
        loads: dataUpdateCount,
        pages: 1,
      }),
  });
}

export function isBatchRunning({ status }: Pick<ShownBatch, "status">): boolean {
  return ["validating", "in_progress", "finalizing", "cancelling"].includes(status);
}

/** Whether it runs, or the cost of its last lines may not be there yet. */
export function isBatchChanging(batch: ShownBatch): boolean {
  const { completed_at, failed_at, expired_at, cancelled_at } = batch;
  return isBatchRunning(batch) || isSettling(completed_at ?? failed_at ?? expired_at ?? cancelled_at);
}
