import type { FailedAttempt, RequestFailure, SkippedTarget } from "../../domain/request-failure.js";
import type { Schemas } from "../../operations.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { dollars } from "./ledger-query.js";

/** A ledger row as its caller sees it. Field by field: an upstream, or what the ledger gets next, is not for callers. */
export function describeOwnRequest(row: LedgerRow): Schemas["OwnRequest"] {
  return {
    object: "request",
    id: row.id,
    created_at: Math.floor(row.at / 1000),
    operation: row.operation,
    model: row.model,
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
    failure: row.failure && describeOwnFailure(row.failure),
    cached_inputs: row.cachedInputs,
    saved_usd: dollars(row.savedNanos),
    batch_id: row.batchId,
    job_id: row.jobId,
    content_credentials: row.contentCredentials,
  };
}

/** The same for an operator, with the key and the upstream. */
export function describeRequest(row: LedgerRow): Schemas["RequestRecord"] {
  return {
    ...describeOwnRequest(row),
    key_id: row.keyId,
    key_name: row.keyName,
    upstream: row.upstream,
    attempts: row.attempts,
    failure: row.failure && describeFailure(row.failure),
    failed_attempts: (row.failedAttempts ?? []).map(describeAttempt),
  };
}

/** Without the attempts and the message for operators, which name upstreams. */
function describeOwnFailure({ message, callerMessage = message, param, requestedModel }: RequestFailure) {
  return { message: callerMessage, param, requested_model: requestedModel };
}

function describeFailure(failure: RequestFailure): Schemas["RequestFailure"] {
  return {
    ...describeOwnFailure(failure),
    message: failure.message,
    attempts: failure.attempts.map(describeAttempt),
  };
}

function describeAttempt(attempt: FailedAttempt): Schemas["FailedAttempt"] {
  const { upstream, model, status, ms, reason, skipped } = attempt;
  return {
    upstream,
    model,
    status,
    duration_ms: ms,
    reason,
    skipped: skipped === undefined ? null : describeSkipped(skipped),
  };
}

function describeSkipped({
  failingSince,
  failures,
  pausedUntil,
  lastError,
}: SkippedTarget): Schemas["SkippedTarget"] {
  return {
    failing_since: failingSince === null ? null : Math.floor(failingSince / 1000),
    failures,
    paused_until: pausedUntil === null ? null : Math.ceil(pausedUntil / 1000),
    last_error: lastError && { ...lastError, at: Math.floor(lastError.at / 1000) },
  };
}
