import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { AccessKey } from "../../domain/access-key.js";
import { noTrace, type RequestTrace } from "../../domain/trace.js";
import { GatewayError } from "../../errors.js";
import type { OperationId } from "../../operations.js";
import { LightAbortController } from "../../runtime/abort.js";
import type { Metrics } from "../../telemetry/metrics/metrics.js";
import type { RequestLog } from "../../telemetry/request-log.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import type { UsageMeter, UsageTotals } from "../../usage/usage-meter.js";
import { createRequestId } from "./request-id.js";

/** What is known of a request while it is served. The log line and the ledger's row are written from it. */
export interface RequestContext {
  readonly id: string;
  /** On the clock that only goes forward. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
  /** The caller's own `X-Client-Request-Id`. */
  readonly clientRequestId: string | undefined;
  /** The address under which the caller reaches the gateway. */
  readonly origin: string;
  /** Aborts when the caller leaves before the answer is complete. */
  readonly signal: AbortSignal;
  /** Settles when nobody answers the request any more. */
  serving: Promise<void> | undefined;
  /** What may go on after that, for others who wait for the same; files it needs are kept until then. */
  readonly backgroundWork: Promise<unknown>[];
  /** Whether the answer says which upstream was asked. */
  readonly exposesUpstream: boolean;
  /** Names and values in turn; see `head.ts`. */
  readonly headers: string[];
  /** Must be over before the last byte of the answer is written. */
  readonly finish: (status: number) => Promise<void> | undefined;
  isFinished: boolean;
  trace: RequestTrace;
  operation: OperationId | undefined;
  /** The id and the name of the key. */
  caller: string | undefined;
  callerName: string | undefined;
  /** The key of the caller, and what it may do. */
  key: AccessKey | undefined;
  /** What the request may use and has used. */
  meter: UsageMeter | undefined;
  model: string | undefined;
  upstream: string | undefined;
  attempts: number | undefined;
  cache: "hit" | "partial" | "miss" | undefined;
  errorCode: string | undefined;
  requestBytes: number;
  responseBytes: number;
}

/**
 * Not in `response.locals`, which is a dictionary, and not under a symbol, which would make one of the whole response:
 * what is in a dictionary is looked for anew each time.
 */
type InContext = Response & { gatewayContext: RequestContext };

export function contextOf(response: Response): RequestContext {
  // `beginRequest` runs before everything else, so that there is one.
  return (response as InContext).gatewayContext;
}

export function setContext(response: Response, context: RequestContext): void {
  (response as InContext).gatewayContext = context;
}

export interface BeginNeeds {
  readonly now: () => number;
  readonly publicUrl: string | undefined;
  readonly exposesUpstream: boolean;
  readonly accounts: Accounts;
  readonly requestLog: Pick<RequestLog, "add">;
}

/** Gives the request its id and its context, and sees to it that it is finished, however it ends. */
export function beginRequest(request: Request, response: Response, needs: BeginNeeds): void {
  const { now, publicUrl, exposesUpstream, accounts } = needs;
  const departure = new LightAbortController();
  const id = createRequestId();
  const context: RequestContext = {
    id,
    startedAt: now(),
    arrivedAt: Date.now(),
    clientRequestId: clientRequestId(request),
    origin: publicUrl ?? `http://${hostOf(request)}`,
    signal: departure.signal,
    serving: undefined,
    backgroundWork: [],
    exposesUpstream,
    headers: ["x-request-id", id],
    finish: (status) =>
      finishRequest(context, hasLeft(departure.signal) ? 499 : status, now() - context.startedAt, accounts),
    isFinished: false,
    trace: noTrace,
    operation: undefined,
    caller: undefined,
    callerName: undefined,
    key: undefined,
    meter: undefined,
    model: undefined,
    upstream: undefined,
    attempts: undefined,
    cache: undefined,
    errorCode: undefined,
    requestBytes: 0,
    responseBytes: 0,
  };
  setContext(response, context);
  const patience = startTimeout(request, departure);
  response.once("close", () => {
    clearTimeout(patience);
    if (!response.writableFinished) {
      context.errorCode ??= "caller_left";
      departure.abort(new CallerLeftError());
    }
    const status = response.writableFinished ? response.statusCode : 499;
    needs.requestLog.add({ context, method: request.method, status, ms: now() - context.startedAt });
    // What goes on without the caller is paid for too, and is not known before it is over.
    if (!context.isFinished) void untilFinished(context).then(() => context.finish(status));
  });
}

/** Resolves when nothing is done for the request any more. */
export async function untilFinished({ serving, backgroundWork }: RequestContext): Promise<void> {
  await serving?.catch(() => undefined);
  await Promise.allSettled(backgroundWork);
}

function hasLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof CallerLeftError;
}

/** The reason of an abort: there is nobody left to answer. */
export class CallerLeftError extends Error {
  constructor() {
    super("The caller left before the answer was complete.");
    this.name = "CallerLeftError";
  }
}

/** A host goes into links, so that it must be one. */
function hostOf(request: Request): string {
  const host = request.headers.host ?? "";
  return /^[\w.-]+(:\d+)?$|^\[[0-9a-f:.]+\](:\d+)?$/i.test(host) ? host : "127.0.0.1";
}

const clientRequestIdLengthMax = 512;

function clientRequestId(request: Request): string | undefined {
  const id = request.headers["x-client-request-id"];
  return typeof id === "string" ? id.slice(0, clientRequestIdLengthMax) : undefined;
}

/** A caller may allow less time than the gateway does. What is wrong with the number, the validator says. */
function startTimeout(request: Request, departure: LightAbortController): NodeJS.Timeout | undefined {
  const given = request.headers["x-gateway-timeout-ms"];
  if (given === undefined) return undefined;
  const allowedMs = Number(given);
  if (!(allowedMs >= 1 && allowedMs < timerMsMax)) return undefined;
  return setTimeout(() => {
    departure.abort(
      new GatewayError(
        "upstream_timeout",
        `There was no answer within the ${allowedMs} ms that the caller allows.`,
      ),
    );
  }, allowedMs);
}

/** Longer waits overflow a timer, and are longer than any the gateway allows. */
const timerMsMax = 2 ** 31;

/** Where it is kept what became of requests. */
export interface Accounts {
  /** Resolves when the row is safe. */
  readonly record: (row: LedgerRow) => Promise<void>;
  readonly metrics: Pick<Metrics, "begin" | "end">;
}

/** What a caller pays for, and so has a row in the ledger. */
const paid: ReadonlySet<OperationId> = new Set<OperationId>([
  "createEmbedding",
  "createEmbeddingLegacy",
  "createImage",
  "createImageEdit",
]);

const nothingUsed: UsageTotals = { inputTokens: 0, outputTokens: 0, images: 0, costNanos: 0 };

/**
 * Settles what a request has used, and writes its row. It is done once, and over before the last byte of the answer is
 * written: whoever has the whole answer can be sure that it stands in the ledger.
 */
export function finishRequest(
  context: RequestContext,
  status: number,
  ms: number,
  accounts: Accounts,
): Promise<void> | undefined {
  if (context.isFinished) return undefined;
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
  };
  const recorded = key !== undefined && isPaid(row) ? accounts.record(row) : undefined;
  if (operation === undefined) accounts.metrics.begin(null);
  accounts.metrics.end(row);
  context.trace.end(row);
  return recorded;
}

/** A row of the ledger, or what would be one if it were paid for. */
type FinishedRow = Omit<LedgerRow, "operation"> & { readonly operation: OperationId | null };

function isPaid(row: FinishedRow): row is LedgerRow {
  return row.operation !== null && paid.has(row.operation);
}

/** A header that was sent once. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
