import type { Schemas } from "../../operations.js";
import type { LedgerRow, LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Handler } from "../handler.js";
import { type Cell, writeCsv } from "../response/csv.js";
import { dollars, timeRange } from "../schemas/ledger-query.js";

export function listRequests(ledger: LedgerStore): Handler<"listRequests"> {
  return async ({ query, accepts }) => {
    const { limit = 100, cursor, key, model, operation, status, error_code: errorCode, ...times } = query;
    const { items, nextCursor } = await ledger.list(
      {
        ...timeRange(times),
        ...(key === undefined ? {} : { keyId: key }),
        ...(model === undefined ? {} : { model }),
        ...(operation === undefined ? {} : { operation }),
        ...(status === undefined ? {} : { status }),
        ...(errorCode === undefined ? {} : { errorCode }),
      },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const data = items.map(describe);
    const headers: Record<string, string> = nextCursor === undefined ? {} : { "x-next-cursor": nextCursor };
    if (accepts("application/json", "text/csv") === "text/csv")
      return { headers, contentType: "text/csv; charset=utf-8", text: writeCsv(columns, data) };
    return { headers, body: { object: "list", data, next_cursor: nextCursor ?? null } };
  };
}

function describe(row: LedgerRow): Schemas["RequestRecord"] {
  return {
    object: "request",
    id: row.id,
    created_at: Math.floor(row.at / 1000),
    key_id: row.keyId,
    key_name: row.keyName,
    operation: row.operation,
    model: row.model,
    upstream: row.upstream,
    attempts: row.attempts,
    status: row.status,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    images: row.images,
    cost_usd: dollars(row.costNanos),
    duration_ms: row.ms,
    request_bytes: row.requestBytes,
    response_bytes: row.responseBytes,
    cache: row.cache,
    error_code: row.errorCode,
  };
}

type Column = (request: Schemas["RequestRecord"]) => Cell;

const columns = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  key_id: ({ key_id }) => key_id,
  key_name: ({ key_name }) => key_name,
  operation: ({ operation }) => operation,
  model: ({ model }) => model,
  upstream: ({ upstream }) => upstream,
  attempts: ({ attempts }) => attempts,
  status: ({ status }) => status,
  input_tokens: ({ input_tokens }) => input_tokens,
  output_tokens: ({ output_tokens }) => output_tokens,
  images: ({ images }) => images,
  cost_usd: ({ cost_usd }) => cost_usd,
  duration_ms: ({ duration_ms }) => duration_ms,
  request_bytes: ({ request_bytes }) => request_bytes,
  response_bytes: ({ response_bytes }) => response_bytes,
  cache: ({ cache }) => cache,
  error_code: ({ error_code }) => error_code,
} satisfies Record<Exclude<keyof Schemas["RequestRecord"], "object">, Column>;
