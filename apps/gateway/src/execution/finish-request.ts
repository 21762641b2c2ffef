import type { GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import { type OperationId, traitsOf } from "@model-gateway/domain/operations";
import {
  describeAttempts,
  describeFailure,
  type FailedAttempt,
  type RequestFailure,
} from "@model-gateway/domain/request-failure";
import type { Metrics } from "../telemetry/metrics/metrics.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import type { UsageTotals } from "../usage/usage-meter.js";
import type { Arrival } from "./request-context.js";
import type { RequestSummary } from "./request-summary.js";

/** The sinks for finished requests. */
export interface Accounting {
  /** Resolves when the row would survive a crash of the process. */
  readonly record: (row: LedgerRow) => Promise<void>;
  /** The request gets this row if the process dies before it has ended. `BegunRequests` (usage/ledger/begun-requests.ts). */
  readonly begin: (row: LedgerRow) => void;
  /** A request that has begun gets no row. */
  readonly forget: (id: string) => void;
  readonly metrics: Pick<Metrics, "begin" | "end">;
}

export interface FinishOptions {
  readonly accounting: Accounting;
  readonly secrets: Pick<HideSecrets, "hide">;
  /** The id of the configuration under which a requested model is counted. Undefined if there is no such model. */
  readonly countedModel: (name: string) => string | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

interface FinishedOutcome {
  readonly status: number;
  /** Whether it ended before its outcome was known: the estimates count then. */
  readonly isAbandoned: boolean;
}

/** A request at its end, with or without a connection. */
type EndedRequest = Pick<Arrival, "id" | "arrivedAt" | "startedAt"> & {
  readonly summary: Readonly<RequestSummary>;
};

/**
 * Settles the usage of a request and writes its ledger row. It is awaited before the last byte of the response is
 * written: a caller that has the whole response can be sure that the ledger has its row.
 */
export async function finishRequest(
  request: EndedRequest,
  { status, isAbandoned }: FinishedOutcome,
  options: FinishOptions,
): Promise<void> {
  const { id, summary } = request;
  const { accounting, secrets } = options;
  const { caller, operation, meter } = summary;
  const key = caller?.key;
  const row = rowOf(request, options, {
    status,
    used: meter?.close({ isAbandoned }) ?? nothingUsed,
    errorCode: summary.errorCode ?? null,
    failure: key === undefined ? null : failureOf(summary, secrets),
    failedAttempts: key === undefined ? null : recoveredAttempts(summary, secrets),
  });
  const hasRow = key !== undefined && summary.isRecorded && isPaid(row);
  const recorded = hasRow ? accounting.record(row) : undefined;
  if (!hasRow && meter !== undefined) accounting.forget(id);
  // No route matched, so the request has not been counted yet.
  if (operation === undefined) accounting.metrics.begin(null);
  accounting.metrics.end(row, summary.bulk === undefined ? "interactive" : "bulk");
  summary.trace.end(row);
  await recorded;
}

/** The end of a request that the process did not see. Clients never get this code. */
const stoppedCode = "gateway_stopped";
const stoppedMessage =
  "The gateway ended before this request did. An upstream had been called, and may have charged for it.";

/**
 * Notes that the next call may be billed, so that it counts even if the process dies. Called again, it notes the upstream
 * of another attempt.
 */
export function noteAttempt(request: EndedRequest, options: FinishOptions): void {
  const { accounting, secrets } = options;
  const { caller, meter, model, requestedModel } = request.summary;
  const estimatedNanos = meter?.estimatedNanos ?? null;
  if (caller?.key === undefined || estimatedNanos === 0) return;
  const facts = { message: stoppedMessage, requestedModel, model };
  const row = rowOf(request, options, {
    status: 500,
    used: { ...nothingUsed, costNanos: null, estimatedNanos: Math.round(estimatedNanos ?? 0) },
    errorCode: stoppedCode,
    failure: describeFailure(facts, (text) => secrets.hide(text)),
    failedAttempts: null,
  });
  if (isPaid(row)) accounting.begin(row);
}

interface RequestEnd extends Pick<LedgerRow, "status" | "errorCode" | "failure" | "failedAttempts"> {
  readonly used: UsageTotals;
}

/** All fields by name: V8 adds fields to an object that is spread one by one, which takes 5 µs. */
function rowOf(
  { id, arrivedAt, startedAt, summary }: EndedRequest,
  { countedModel, now }: FinishOptions,
  { status, used, errorCode, failure, failedAttempts }: RequestEnd,
): FinishedRow {
  const key = summary.caller?.key;
  return {
    id,
    at: arrivedAt,
    keyId: key?.id ?? "",
    keyName: key?.name ?? "",
    owner: key?.owner ?? null,
    operation: summary.operation ?? null,
    model: summary.model ?? refusedModel(summary, countedModel),
    upstream: summary.upstream ?? null,
    attempts: summary.attempts ?? 0,
    status,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    images: used.images,
    costNanos: used.costNanos,
    estimatedNanos: used.estimatedNanos,
    cachedInputs: used.cachedInputs,
    savedNanos: used.savedNanos,
    ms: Math.round((now() - startedAt) * 10) / 10,
    requestBytes: summary.requestBytes,
    responseBytes: summary.responseBytes,
    cache: summary.cache ?? null,
    errorCode,
    failure,
    failedAttempts,
    tokensEstimated: summary.tokensEstimated === true,
    batchId: summary.batchId ?? null,
    jobId: summary.jobId ?? null,
    contentCredentials: summary.contentCredentials ?? null,
  };
}

const nothingUsed: UsageTotals = {
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: 0,
  cachedInputs: 0,
  savedNanos: 0,
  estimatedNanos: 0,
};

/**
 * The model of a request that was refused before its model was looked up, such as for an invalid parameter. Only ids of
 * the configuration are counted, because callers can invent any number of others.
 */
function refusedModel(
  { requestedModel }: RequestSummary,
  countedModel: FinishOptions["countedModel"],
): string | null {
  return requestedModel === undefined ? null : (countedModel(requestedModel) ?? null);
}

/** Null where the request succeeded. */
function failureOf(summary: RequestSummary, secrets: Pick<HideSecrets, "hide">): RequestFailure | null {
  const { errorCode, error } = summary;
  return errorCode === undefined ? null : describeError(error, summary, secrets);
}

/** Null where no call failed, and where the request did. */
function recoveredAttempts(
  { errorCode, failedAttempts }: RequestSummary,
  secrets: Pick<HideSecrets, "hide">,
): readonly FailedAttempt[] | null {
  if (errorCode !== undefined || failedAttempts === undefined) return null;
  return describeAttempts(failedAttempts, (text) => secrets.hide(text));
}

/** @param error Undefined if the caller left. */
export function describeError(
  error: GatewayError | undefined,
  { requestedModel, model }: Pick<RequestSummary, "requestedModel" | "model">,
  secrets: Pick<HideSecrets, "hide">,
): RequestFailure {
  const { operatorMessage: message = callerLeft, recordedMessage: callerMessage = message } = error ?? {};
  const { param, failedAttempts: attempts } = error ?? {};
  const facts = { message, callerMessage, param, requestedModel, model, attempts };
  return describeFailure(facts, (text) => secrets.hide(text));
}

const callerLeft = "The caller closed the connection before the response was complete.";

/** A ledger row. Requests of unpaid operations have the same fields, but are not recorded. */
type FinishedRow = Omit<LedgerRow, "operation"> & { readonly operation: OperationId | null };

function isPaid(row: FinishedRow): row is LedgerRow {
  return row.operation !== null && traitsOf(row.operation) !== undefined;
}
