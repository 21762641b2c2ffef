import type { RequestTrace } from "./trace.js";

/** Who calls, and the signal and trace of the call. A call that several requests share has a signal of its own. */
export interface CallContext {
  /** The id of the caller's key: queues are fair between callers. */
  readonly caller: string;
  /** Aborts when the caller leaves, or when its timeout has passed. */
  readonly signal: AbortSignal;
  readonly trace: RequestTrace;
}
