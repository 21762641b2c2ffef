import type { IncomingMessage } from "node:http";
import type { Response } from "express";
import type { AccessKey } from "../../domain/access-key.js";
import type { BulkCall, RequestMemory } from "../../domain/call-context.js";
import type { RequestTrace } from "../../domain/trace.js";
import type { OperationId } from "../../operations.js";
import type { ActiveSession } from "../../sessions/sessions.js";
import type { UsageMeter } from "../../usage/usage-meter.js";

/** The state of a request while it is served. Its log line and its ledger row are written from it. */
export interface RequestContext {
  readonly id: string;
  /** On the monotonic clock. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
  /** Whether only the headers of the response are wanted. */
  readonly isHead: boolean;
  /** The caller's own `X-Client-Request-Id`. */
  readonly clientRequestId: string | undefined;
  /** The address at which the caller reaches the gateway. */
  readonly origin: string;
  /** Aborts when the caller leaves before the response is complete, or when its timeout has passed. */
  readonly signal: AbortSignal;
  /** Given back when all work for the request is done. */
  readonly memory: RequestMemory;
  /** Starts the timeout that the caller has set. Undefined if there is none. */
  startTimeout: (() => void) | undefined;
  /** Settles when the handler is done and the response is written. */
  serving: Promise<void> | undefined;
  /** Work that may outlive the response because other callers wait for it. Its files are kept until then. */
  readonly backgroundWork: Promise<unknown>[];
  /** Whether the response names the upstream. */
  readonly exposesUpstream: boolean;
  /** Names and values in turn; see `response/headers.ts`. */
  readonly headers: string[];
  /** `finishRequest` (begin-request.ts): settles the usage and writes the ledger row, before the last byte is sent. */
  readonly finish: (status: number) => Promise<void>;
  isFinished: boolean;
  /** Whether the request is one of those that `Descriptors` counts. */
  holdsDescriptor: boolean;
  trace: RequestTrace;
  operation: OperationId | undefined;
  /** The id and the name of the key. */
  caller: string | undefined;
  callerName: string | undefined;
  /** The client's address. Only known where a key was refused, and in operations of the admin API. */
  address: string | undefined;
  key: AccessKey | undefined;
  /** The session whose secret the request has. Undefined where it has a key. */
  session: ActiveSession | undefined;
  /** Undefined until the caller is authenticated. */
  meter: UsageMeter | undefined;
  /** Present where the request has the priority `bulk`. */
  bulk: BulkCall | undefined;
  model: string | undefined;
  upstream: string | undefined;
  attempts: number | undefined;
  cache: "hit" | "partial" | "miss" | undefined;
  /** True where the upstream did not report its tokens. */
  tokensEstimated: true | undefined;
  errorCode: string | undefined;
  requestBytes: number;
  responseBytes: number;
}

/**
 * A property of the response itself: `response.locals` is a dictionary and a symbol would turn the whole response into
 * one, and V8 cannot cache lookups in dictionaries.
 */
type WithContext = Response & { gatewayContext: RequestContext };

/** `beginRequest` runs before everything else, so every response has a context. */
export function contextOf(response: Response): RequestContext {
  return (response as WithContext).gatewayContext;
}

export function setContext(response: Response, context: RequestContext): void {
  (response as WithContext).gatewayContext = context;
}

/** Resolves when all work for the request is done. */
export async function untilFinished({ serving, backgroundWork }: RequestContext): Promise<void> {
  await serving?.catch(() => undefined);
  await Promise.allSettled(backgroundWork);
}

/** The reason of an abort: there is no caller left to respond to. */
export class CallerLeftError extends Error {
  constructor() {
    super("The caller left before the response was complete.");
    this.name = "CallerLeftError";
  }
}

/** A header that was sent once. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
