import type { RequestFailure } from "../../domain/request-failure.js";
import type { Schemas } from "../../operations.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { dollars } from "./ledger-query.js";

/** A ledger row as the spec describes it. */
export function describeRequest(row: LedgerRow): Schemas["RequestRecord"] {
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
    tokens_estimated: row.tokensEstimated,
    cost_usd: dollars(row.costNanos),
    duration_ms: row.ms,
    request_bytes: row.requestBytes,
    response_bytes: row.responseBytes,
    cache: row.cache,
    error_code: row.errorCode,
    failure: row.failure && describeFailure(row.failure),
    cached_inputs: row.cachedInputs,
    saved_usd: dollars(row.savedNanos),
  };
}

function describeFailure({
  message,
  param,
  requestedModel,
  attempts,
}: RequestFailure): Schemas["RequestFailure"] {
  return {
    message,
    param,
    requested_model: requestedModel,
    attempts: attempts.map(({ upstream, model, status, ms, reason }) => ({
      upstream,
      model,
      status,
      duration_ms: ms,
      reason,
    })),
  };
}
