import type { CoalesceWindow } from "./model.js";
import type { RequestTrace } from "./trace.js";

/** The caller, signal and trace of a call. A call that several requests share has a separate signal. */
export interface CallContext {
  /** The id of the caller's key: queues are fair between callers. */
  readonly caller: string;
  /** Aborts when the caller leaves, or when its timeout has passed. */
  readonly signal: AbortSignal;
  readonly trace: RequestTrace;
  /** To be called when work for the request goes on. Absent in calls of the gateway itself. */
  readonly onActive?: (() => void) | undefined;
  /** Absent where the replies are small. */
  readonly takeMemory?: TakeMemory | undefined;
  /** Present for calls of the priority `bulk`. Interactive ones go first. */
  readonly bulk?: BulkCall | undefined;
  /** Present where the call waits for others to share upstream calls with, whatever its model says. */
  readonly coalesce?: CoalesceWindow | undefined;
}

/** Facts that a bulk request learns on its way. */
export interface BulkCall {
  /** Number of calls ahead of it in a queue. The largest of several numbers; 0 if it never waited. */
  place: number;
}

/** A call that waits in a queue, and its deadline. */
export type Waiting = Pick<CallContext, "caller" | "signal" | "bulk">;

/**
 * Takes memory for the replies to a request, when the first of them arrives. Undefined where there is enough, or where it
 * was taken before. Until then the reply is not read.
 */
export type TakeMemory = (signal: AbortSignal) => Promise<void> | undefined;

/** The memory that one request takes for its bodies. */
export interface RequestMemory {
  /** Takes memory for the body of the request. Rejects with `gateway_overloaded` where there is too little for a while. */
  takeForBody(bytes: number, waiting: Waiting): Promise<void> | undefined;
  forReplies(bytes: number, caller: string): TakeMemory;
  /** Gives back what was taken for replies beyond these bytes: all of them are here, or they were stored or written. */
  settleReplies(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** The reason of an abort: the work is no longer wanted, which is more than that its caller has left. */
export class RequestCancelledError extends Error {
  constructor() {
    super("The request was cancelled.");
    this.name = "RequestCancelledError";
  }
}
