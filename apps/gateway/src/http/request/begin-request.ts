import type { Request, Response } from "express";
import type { RequestMemory } from "../../domain/call-context.js";
import { describeFailure, type RequestFailure } from "../../domain/request-failure.js";
import { GatewayError } from "../../errors.js";
import { type OperationId, traitsOf } from "../../operations.js";
import type { HideSecrets } from "../../secrets/secret-filter.js";
import type { LogRequest } from "../../telemetry/log.js";
import type { Metrics } from "../../telemetry/metrics/metrics.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import type { UsageTotals } from "../../usage/usage-meter.js";
import { type Arrival, setArrival } from "./request-context.js";
import type { RequestIds } from "./request-id.js";
import { CallerLeftError, RequestLifetime } from "./request-lifetime.js";
import { RequestSummary } from "./request-summary.js";

export interface BeginOptions {
  readonly requestIds: RequestIds;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly publicUrl: string | undefined;
  /** The gateway's own scheme, for links without a public URL. */
  readonly scheme: "http" | "https";
  readonly exposesUpstream: boolean;
  readonly accounting: Accounting;
  readonly secrets: Pick<HideSecrets, "hide">;
  readonly logRequest: LogRequest;
  readonly openMemory: () => RequestMemory;
  /** `InFlight` (app/in-flight.ts). */
  readonly inFlight: { begin(): void; end(): void };
}

/** The sinks for finished requests. */
export interface Accounting {
  /** Resolves when the row would survive a crash of the process. */
  readonly record: (row: LedgerRow) => Promise<void>;
  readonly metrics: Pick<Metrics, "begin" | "end">;
}

/** Gives the request its id, and settles it once, however it ends. */
export function beginRequest(request: Request, response: Response, options: BeginOptions): void {
  const { requestIds, now, publicUrl, scheme, exposesUpstream, openMemory } = options;
  const lifetime = new RequestLifetime();
  const summary = new RequestSummary();
  const id = requestIds.next();
  let finished: Promise<void> | undefined;
  const arrival: Arrival = {
    id,
    startedAt: now(),
    arrivedAt: Date.now(),
    isHead: request.method === "HEAD",
    clientRequestId: clientRequestId(request),
    origin: publicUrl ?? `${scheme}://${hostOf(request)}`,
    signal: lifetime.signal,
    memory: openMemory(),
    exposesUpstream,
    headers: ["x-request-id", id],
    lifetime,
    summary,
    finish: (status) => {
      finished ??= finishRequest(arrival, lifetime.hasCallerLeft ? 499 : status, options);
      return finished;
    },
  };
  setArrival(response, arrival);
  options.inFlight.begin();
  const { method, url } = request;
  // The only listener for the end of a response. Anything else that must happen then is an action of its lifetime.
  response.once("close", () => {
    lifetime.close();
    if (!response.writableFinished) {
      summary.errorCode ??= "caller_left";
      lifetime.abort(new CallerLeftError());
    }
    const status = response.writableFinished ? response.statusCode : 499;
    options.logRequest({ arrival, summary, method, url, status, ms: now() - arrival.startedAt });
    const end = () => {
      lifetime.end();
      arrival.memory.release();
      options.inFlight.end();
    };
    if (finished !== undefined && !lifetime.hasBackgroundWork) return end();
    // Work that goes on without the caller is billed, and its cost is known only at its end.
    void lifetime
      .untilIdle()
      .then(() => arrival.finish(status))
      .finally(end);
  });
}

/** The host becomes part of links, so a header that is not a valid host is ignored. */
function hostOf(request: Request): string {
  const host = request.headers.host ?? "";
  return /^[\w.-]+(:\d+)?$|^\[[0-9a-f:.]+\](:\d+)?$/i.test(host) ? host : "127.0.0.1";
}

const clientRequestIdLengthMax = 512;

function clientRequestId(request: Request): string | undefined {
  const id = request.headers["x-client-request-id"];
  return typeof id === "string" ? id.slice(0, clientRequestIdLengthMax) : undefined;
}

/** Longer waits overflow a timer. */
const timerMsMax = 2 ** 31;

/** The header in which a caller may set a shorter timeout than the gateway's. */
export const timeoutHeader = "x-gateway-timeout-ms";

/** Starts the timeout that the caller has set. The validator explains an invalid number. */
export function startTimeout({ headers }: Request, lifetime: RequestLifetime): void {
  const timeoutMs = Number(headers[timeoutHeader]);
  if (!(timeoutMs >= 1 && timeoutMs < timerMsMax)) return;
  const timer = setTimeout(() => {
    lifetime.abort(
      new GatewayError(
        "upstream_timeout",
        `There was no response within ${timeoutMs} ms, the timeout set by ${timeoutHeader}.`,
      ),
    );
  }, timeoutMs);
  lifetime.whenClosed(() => clearTimeout(timer));
}

const nothingUsed: UsageTotals = {
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: 0,
  cachedInputs: 0,
  savedNanos: 0,
};

/**
 * Settles the usage of a request and writes its ledger row. It is awaited before the last byte of the response is
 * written: a caller that has the whole response can be sure that the ledger has its row.
 */
async function finishRequest(
  { id, arrivedAt, startedAt, summary }: Arrival,
  status: number,
  { accounting, secrets, now }: Pick<BeginOptions, "accounting" | "secrets" | "now">,
): Promise<void> {
  const { caller, operation } = summary;
  const key = caller?.key;
  const used = summary.meter?.close({ isAbandoned: status === 499 }) ?? nothingUsed;
  const row: FinishedRow = {
    id,
    at: arrivedAt,
    keyId: key?.id ?? "",
    keyName: key?.name ?? "",
    operation: operation ?? null,
    model: summary.model ?? null,
    upstream: summary.upstream ?? null,
    attempts: summary.attempts ?? 0,
    status,
    ...used,
    ms: Math.round((now() - startedAt) * 10) / 10,
    requestBytes: summary.requestBytes,
    responseBytes: summary.responseBytes,
    cache: summary.cache ?? null,
    errorCode: summary.errorCode ?? null,
    failure: key === undefined ? null : failureOf(summary, secrets),
    tokensEstimated: summary.tokensEstimated === true,
  };
  const recorded = key !== undefined && isPaid(row) ? accounting.record(row) : undefined;
  // No route matched, so the request has not been counted yet.
  if (operation === undefined) accounting.metrics.begin(null);
  accounting.metrics.end(row, summary.bulk === undefined ? "interactive" : "bulk");
  summary.trace.end(row);
  await recorded;
}

/** Null where the request succeeded. */
function failureOf(summary: RequestSummary, secrets: Pick<HideSecrets, "hide">): RequestFailure | null {
  const { errorCode, error, requestedModel, model } = summary;
  if (errorCode === undefined) return null;
  const { recordedMessage: message = callerLeft, param, failedAttempts: attempts } = error ?? {};
  return describeFailure({ message, param, requestedModel, model, attempts }, (text) => secrets.hide(text));
}

const callerLeft = "The caller closed the connection before the response was complete.";

/** A ledger row. Requests of unpaid operations have the same fields, but are not recorded. */
type FinishedRow = Omit<LedgerRow, "operation"> & { readonly operation: OperationId | null };

function isPaid(row: FinishedRow): row is LedgerRow {
  return row.operation !== null && traitsOf(row.operation) !== undefined;
}
