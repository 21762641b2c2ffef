import type { AccessKey } from "@model-gateway/domain/access-key";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import { type Cell, writeCsv } from "../csv.js";
import { keysOf, timeRange } from "../documents/ledger-query.js";
import { describeRequest, requestFields } from "../documents/RequestRecord.js";

interface RequestHandlerServices {
  readonly ledger: Pick<LedgerStore, "list">;
  /** The configured keys. */
  readonly fileKeys: readonly AccessKey[];
}

export function listRequests({ ledger, fileKeys }: RequestHandlerServices): Handler<"listRequests"> {
  return async ({ query, accepts }) => {
    const { limit = 100, cursor, key, owner, model, operation, upstream, status, ...others } = query;
    const { failed, cache, batch, job, has_model: hasModel, error_code: errorCode, ...rest } = others;
    const { recovered, recovered_from: recoveredFrom, min_duration_ms: minMs, internal, ...times } = rest;
    const { items, nextCursor } = await ledger.list(
      {
        ...timeRange(times),
        ...(key === undefined ? {} : { keyId: key }),
        ...(owner === undefined ? {} : { owner: keysOf(owner, fileKeys) }),
        ...(internal === undefined ? {} : { isInternal: internal }),
        ...(model === undefined ? {} : { model }),
        ...(hasModel === undefined ? {} : { hasModel }),
        ...(operation === undefined ? {} : { operation }),
        ...(upstream === undefined ? {} : { upstream }),
        ...(status === undefined ? {} : { status }),
        ...(failed === undefined ? {} : { failed }),
        ...(recovered === undefined ? {} : { recovered }),
        ...(recoveredFrom === undefined ? {} : { recoveredFrom }),
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(cache === undefined ? {} : { cache }),
        ...(minMs === undefined ? {} : { minMs }),
        ...(batch === undefined ? {} : { batchId: batch }),
        ...(job === undefined ? {} : { jobId: job }),
      },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const data = items.map(describeRequest);
    const headers: Record<string, string> = nextCursor === undefined ? {} : { "x-next-cursor": nextCursor };
    if (accepts("application/json", "text/csv") === "text/csv")
      return { headers, contentType: "text/csv; charset=utf-8", text: writeCsv(columns, data) };
    return { headers, body: { object: "list", data, next_cursor: nextCursor ?? null } };
  };
}

type RequestColumn = (request: Schemas["RequestRecord"]) => Cell;

const columns = {
  ...Object.fromEntries(requestFields.map((name): [string, RequestColumn] => [name, cellOf(name)])),
  failure: ({ failure }) => failure?.message,
  failed_attempts: ({ failed_attempts }) => failed_attempts.map(writeAttempt).join("; "),
} satisfies Record<string, RequestColumn>;

function cellOf(name: keyof Schemas["RequestRecord"]): RequestColumn {
  return (request) => {
    const value = request[name];
    return typeof value === "number" || value === null ? value : String(value);
  };
}

function writeAttempt({ upstream, model, reason }: Schemas["FailedAttempt"]): string {
  return `${upstream} / ${model}: ${reason}`;
}
