import type { IncomingMessage } from "node:http";
import type { AccessKey } from "@model-gateway/domain/access-key";
import type { RequestMemory } from "@model-gateway/domain/call-context";
import type { CoalesceWindow } from "@model-gateway/domain/model";
import type { Operator } from "@model-gateway/domain/operator";
import type { PartialImage } from "@model-gateway/domain/requests";
import type { RequestTrace } from "@model-gateway/domain/trace";
import type { ActiveSession } from "../sessions/sessions.js";
import type { UsageMeter } from "../usage/usage-meter.js";
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
  /** Names and values in turn; see `response-headers.ts`. */
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
  /** Gives back what it holds once all work for it is done. A request that is not finished by then is finished first. */
  readonly end: (status: number) => Promise<void> | undefined;
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
  /** Who operates the gateway. Undefined for a caller. */
  readonly operator: Operator | undefined;
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

/** A header that was sent once. */
export function headerOf({ headers }: Pick<IncomingMessage, "headers">, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
