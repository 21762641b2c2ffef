import type { Request, Response } from "express";
import type { RequestMemory } from "../../domain/call-context.js";
import { noTrace } from "../../domain/trace.js";
import { GatewayError } from "../../errors.js";
import { type OperationId, traitsOf } from "../../operations.js";
import { LightAbortController } from "../../runtime/abort.js";
import type { LogRequest } from "../../telemetry/log.js";
import type { Metrics } from "../../telemetry/metrics/metrics.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import type { UsageTotals } from "../../usage/usage-meter.js";
import type { Descriptors } from "../descriptors.js";
import { CallerLeftError, type RequestContext, setContext, untilFinished } from "./request-context.js";
import type { RequestIds } from "./request-id.js";

export interface BeginOptions {
  readonly requestIds: RequestIds;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly publicUrl: string | undefined;
  /** How the gateway itself is called, for links without a public URL. */
  readonly scheme: "http" | "https";
  readonly exposesUpstream: boolean;
  readonly accounting: Accounting;
  readonly logRequest: LogRequest;
  readonly openMemory: () => RequestMemory;
  readonly descriptors: Descriptors;
}

/** Where finished requests are recorded. */
export interface Accounting {
  /** Resolves when the row would survive a crash of the process. */
  readonly record: (row: LedgerRow) => Promise<void>;
  readonly metrics: Pick<Metrics, "begin" | "end">;
}

/** Gives the request its id and its context, and settles it once, however it ends. */
export function beginRequest(request: Request, response: Response, options: BeginOptions): void {
  const { requestIds, now, publicUrl, scheme, exposesUpstream, accounting, logRequest, openMemory } = options;
  const controller = new LightAbortController();
  const id = requestIds.next();
  const context: RequestContext = {
    id,
    startedAt: now(),
    arrivedAt: Date.now(),
    isHead: request.method === "HEAD",
    clientRequestId: clientRequestId(request),
    origin: publicUrl ?? `${scheme}://${hostOf(request)}`,
    signal: controller.signal,
    memory: openMemory(),
    startTimeout: undefined,
    serving: undefined,
    backgroundWork: [],
    exposesUpstream,
    headers: ["x-request-id", id],
    finish: (status) =>
      finishRequest(context, {
        status: hasLeft(controller.signal) ? 499 : status,
        ms: now() - context.startedAt,
        accounting,
      }),
    isFinished: false,
    holdsDescriptor: false,
    trace: noTrace,
    operation: undefined,
    caller: undefined,
    callerName: undefined,
    address: undefined,
    key: undefined,
    session: undefined,
    meter: undefined,
    bulk: undefined,
    model: undefined,
    upstream: undefined,
    attempts: undefined,
    cache: undefined,
    tokensEstimated: undefined,
    errorCode: undefined,
    requestBytes: 0,
    responseBytes: 0,
  };
  setContext(response, context);
  // Most requests have no timeout of their own, and no function is created for them.
  if (request.headers[timeoutHeader] !== undefined)
    context.startTimeout = () => startTimeout(request, response, controller);
  response.once("close", () => {
    if (context.holdsDescriptor) options.descriptors.endRequest();
    if (!response.writableFinished) {
      context.errorCode ??= "caller_left";
      controller.abort(new CallerLeftError());
    }
    const status = response.writableFinished ? response.statusCode : 499;
    logRequest({ context, method: request.method, status, ms: now() - context.startedAt });
    // Work that goes on without the caller is billed too, and its cost is known only when it is over.
    if (!context.isFinished) void untilFinished(context).then(() => context.finish(status));
  });
}

function hasLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof CallerLeftError;
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

/** The validator explains an invalid number. */
function startTimeout(request: Request, response: Response, controller: LightAbortController): void {
  const timeoutMs = Number(request.headers[timeoutHeader]);
  if (!(timeoutMs >= 1 && timeoutMs < timerMsMax)) return;
  const timer = setTimeout(() => {
    controller.abort(
      new GatewayError(
        "upstream_timeout",
        `There was no response within ${timeoutMs} ms, the timeout set by ${timeoutHeader}.`,
      ),
    );
  }, timeoutMs);
  response.once("close", () => clearTimeout(timer));
}

const nothingUsed: UsageTotals = {
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: 0,
  cachedInputs: 0,
  savedNanos: 0,
};

interface Finish {
  readonly status: number;
  readonly ms: number;
  readonly accounting: Accounting;
}

/**
 * Settles the usage of a request and writes its ledger row, once. It is awaited before the last byte of the response is
 * written: a caller that has the whole response can be sure that the ledger has it too.
 */
async function finishRequest(context: RequestContext, { status, ms, accounting }: Finish): Promise<void> {
  if (context.isFinished) return;
  context.isFinished = true;
  const { key, operation } = context;
  const used = context.meter?.close({ isAbandoned: status === 499 }) ?? nothingUsed;
  const row: FinishedRow = {
    id: context.id,
    at: context.arrivedAt,
    keyId: key?.id ?? "",
    keyName: key?.name ?? "",
    operation: operation ?? null,
    model: context.model ?? null,
    upstream: context.upstream ?? null,
    attempts: context.attempts ?? 0,
    status,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    images: used.images,
    costNanos: used.costNanos,
    ms: Math.round(ms * 10) / 10,
    requestBytes: context.requestBytes,
    responseBytes: context.responseBytes,
    cache: context.cache ?? null,
    errorCode: context.errorCode ?? null,
    tokensEstimated: context.tokensEstimated === true,
    cachedInputs: used.cachedInputs,
    savedNanos: used.savedNanos,
  };
  const recorded = key !== undefined && isPaid(row) ? accounting.record(row) : undefined;
  // No route matched, so the request has not been counted yet.
  if (operation === undefined) accounting.metrics.begin(null);
  accounting.metrics.end(row, context.bulk === undefined ? "interactive" : "bulk");
  context.trace.end(row);
  await recorded;
}

/** A row of the ledger. Requests of unpaid operations have the same fields, but are not recorded. */
type FinishedRow = Omit<LedgerRow, "operation"> & { readonly operation: OperationId | null };

function isPaid(row: FinishedRow): row is LedgerRow {
  return row.operation !== null && traitsOf(row.operation) !== undefined;
}
