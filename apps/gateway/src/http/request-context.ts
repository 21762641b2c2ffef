import { randomBytes } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import type { AccessKey } from "../domain/access-key.js";
import { GatewayError } from "../errors.js";
import type { OperationId } from "../operations.js";

/** What is known of a request while it is served. The log line is written from it. */
export interface RequestContext {
  readonly id: string;
  readonly startedAt: number;
  /** The caller's own `X-Client-Request-Id`. */
  readonly clientRequestId: string | undefined;
  /** The address under which the caller reaches the gateway. */
  readonly origin: string;
  /** Aborts when the caller leaves before the answer is complete. */
  readonly signal: AbortSignal;
  /** What may go on after the caller has left; files it needs are kept until then. */
  readonly works: Promise<unknown>[];
  /** Whether the answer says which upstream was asked. */
  readonly tellsUpstream: boolean;
  operation?: OperationId;
  /** The id and the name of the key. */
  caller?: string;
  callerName?: string;
  /** The key of the caller, and what it may do. */
  key?: AccessKey;
  model?: string;
  upstream?: string;
  attempts?: number;
  errorCode?: string;
  requestBytes: number;
  responseBytes: number;
}

export function contextOf(response: Response): RequestContext {
  // `beginRequest` runs before everything else and is the only one to set this.
  return response.locals.context as RequestContext;
}

export interface BeginOptions {
  readonly now: () => number;
  readonly publicUrl: string | undefined;
  readonly tellsUpstream: boolean;
}

/** Gives the request its id and its context. */
export function beginRequest({ now, publicUrl, tellsUpstream }: BeginOptions): RequestHandler {
  return (request, response, next) => {
    const departure = new AbortController();
    response.once("close", () => {
      if (response.writableFinished) return;
      // Now, because the line of the log is written by the next listener of the same event.
      context.errorCode ??= "caller_left";
      departure.abort(new CallerLeftError());
    });
    const context: RequestContext = {
      id: createRequestId(),
      startedAt: now(),
      clientRequestId: clientRequestId(request),
      origin: publicUrl ?? `http://${hostOf(request)}`,
      signal: departure.signal,
      works: [],
      tellsUpstream,
      requestBytes: 0,
      responseBytes: 0,
    };
    response.locals.context = context;
    limitPatience(request, response, departure);
    response.setHeader("x-request-id", context.id);
    next();
  };
}

export function createRequestId(): string {
  return `req_${randomBytes(16).toString("hex")}`;
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
  return request.get("x-client-request-id")?.slice(0, clientRequestIdLengthMax);
}

/** A caller may allow less time than the gateway does. What is wrong with the number, the validator says. */
function limitPatience(request: Request, response: Response, departure: AbortController): void {
  const allowedMs = Number(request.get("x-gateway-timeout-ms"));
  if (!(allowedMs >= 1 && allowedMs < timerMsMax)) return;
  const timer = setTimeout(() => {
    departure.abort(
      new GatewayError(
        "upstream_timeout",
        `There was no answer within the ${allowedMs} ms that the caller allows.`,
      ),
    );
  }, allowedMs);
  response.once("close", () => clearTimeout(timer));
}

/** Longer waits overflow a timer, and are longer than any the gateway allows. */
const timerMsMax = 2 ** 31;
