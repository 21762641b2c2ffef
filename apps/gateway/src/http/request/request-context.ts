import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { AccessKey } from "../../domain/access-key.js";
import type { RequestMemory } from "../../domain/call-context.js";
import type { CoalesceWindow } from "../../domain/model.js";
import type { PartialImage } from "../../domain/requests.js";
import type { RequestTrace } from "../../domain/trace.js";
import type { ActiveSession } from "../../sessions/sessions.js";
import type { UsageMeter } from "../../usage/usage-meter.js";
import type { RequestLifetime } from "./request-lifetime.js";
import type {
  JobPhase,
  ModelPhase,
  RequestSummary,
  ResponsePhase,
  UpstreamPhase,
} from "./request-summary.js";

/** A request as it arrived. */
export interface Arrival {
  readonly id: string;
  /** On the monotonic clock. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
  /** Whether only the response headers are wanted. */
  readonly isHead: boolean;
  /** The caller's own `X-Client-Request-Id`. */
  readonly clientRequestId: string | undefined;
  /** The address at which the caller reaches the gateway. */
  readonly origin: string;
  /** Aborts when the caller leaves before the response is complete, or when its timeout has passed. */
  readonly signal: AbortSignal;
  /** Given back when all work for the request is done. */
  readonly memory: RequestMemory;
  /** Whether the response names the upstream. */
  readonly exposesUpstream: boolean;
  /** Names and values in turn; see `response/headers.ts`. */
  readonly headers: string[];
  readonly lifetime: RequestLifetime;
  readonly summary: ResponsePhase & Readonly<RequestSummary>;
  /** Its place among the requests in flight, and when it was last worked on. */
  readonly place: { index: number; turn: number };
  /** To be called when work for it begins or goes on. The watchdog wants to know what was last. */
  readonly onActive: () => void;
  /** `finishRequest` (finish-request.ts): settles the usage and writes the ledger row, before the last byte is sent. */
  readonly finish: (status: number) => Promise<void>;
  /** `noteAttempt` (finish-request.ts). Called before a call that may be billed. */
  readonly noteAttempt: () => void;
}

/** A request whose caller is known, as its handler sees it. */
export interface RequestContext
  extends Pick<
    Arrival,
    "id" | "arrivedAt" | "isHead" | "origin" | "signal" | "memory" | "lifetime" | "noteAttempt" | "onActive"
  > {
  /** The id of the caller's key, or `admin`. */
  readonly caller: string;
  readonly key: AccessKey | undefined;
  /** The session whose secret the request has. Undefined where it has a key. */
  readonly session: ActiveSession | undefined;
  /** Undefined where there is no key to meter the request on. */
  readonly meter: UsageMeter | undefined;
  readonly trace: RequestTrace;
  readonly requestBytes: number;
  /** Present where the request waits for others to share upstream calls with. */
  readonly coalesce: CoalesceWindow | undefined;
  /** Called with partial images of a job. Absent: none are wanted. */
  readonly onPartialImage: ((image: PartialImage) => void) | undefined;
  /** The handler's notes for the log and the ledger. */
  readonly summary: ModelPhase & UpstreamPhase & JobPhase;
}

/**
 * A property of the response itself: `response.locals` is a dictionary and a symbol would turn the whole response into
 * one, and V8 cannot cache lookups in dictionaries.
 */
type WithArrival = Response & { gatewayArrival: Arrival };

/** `beginRequest` runs before everything else, so every response has an arrival. */
export function arrivalOf(response: Response): Arrival {
  return (response as WithArrival).gatewayArrival;
}

/** For `serveOperation`, which hands every phase its part. */
export function summaryOf(response: Response): RequestSummary {
  // It is read-only above for all others.
  return arrivalOf(response).summary as RequestSummary;
}

/** The id of the caller. Undefined where the request had no valid key, or did not begin. */
export function callerOf(response: ServerResponse): string | undefined {
  return (response as Partial<Pick<WithArrival, "gatewayArrival">>).gatewayArrival?.summary.caller?.id;
}

export function setArrival(response: Response, arrival: Arrival): void {
  (response as WithArrival).gatewayArrival = arrival;
}

/** A header that was sent once. */
export function headerOf({ headers }: Pick<IncomingMessage, "headers">, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
