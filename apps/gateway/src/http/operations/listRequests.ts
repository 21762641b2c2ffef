import type { AccessKey } from "../../domain/access-key.js";
import type { Schemas } from "../../operations.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Handler } from "../handler.js";
import { type Cell, writeCsv } from "../response/csv.js";
import { keysOf, timeRange } from "../schemas/ledger-query.js";
import { describeRequest } from "../schemas/RequestRecord.js";

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
  // Last, because programs that read the table may count its columns.
  tokens_estimated: ({ tokens_estimated }) => String(tokens_estimated),
  cached_inputs: ({ cached_inputs }) => cached_inputs,
  saved_usd: ({ saved_usd }) => saved_usd,
  failure: ({ failure }) => failure?.message,
  content_credentials: ({ content_credentials }) => content_credentials,
  batch_id: ({ batch_id }) => batch_id,
  job_id: ({ job_id }) => job_id,
  failed_attempts: ({ failed_attempts }) => failed_attempts.map(writeAttempt).join("; "),
} satisfies Record<Exclude<keyof Schemas["RequestRecord"], "object">, RequestColumn>;

function writeAttempt({ upstream, model, reason }: Schemas["FailedAttempt"]): string {
  return `${upstream} / ${model}: ${reason}`;
}
