import type { RequestTrace } from "./trace.js";

/** The caller of a request, its deadline and its trace. It is passed whole from the HTTP edge to the scheduler. */
export interface CallContext {
  /** The id of the caller's key: queues are fair between callers. */
  readonly caller: string;
  /** Aborts when the caller leaves or the deadline has passed. */
  readonly signal: AbortSignal;
  readonly trace: RequestTrace;
}
