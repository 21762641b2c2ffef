import type { OperationId } from "../operations.js";
import type { Upstream } from "./model.js";

/** Follows requests through the gateway and on to upstreams. Where nobody wants traces it costs nothing. */
export interface Tracer {
  begin(request: TracedRequest): RequestTrace;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

export interface TracedRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** The pattern of the path, as the spec has it. */
  readonly route: string;
  /** Without its query: that of a link to an image holds its signature. */
  readonly path: string;
  /** The headers of the same names, as they came. https://www.w3.org/TR/trace-context/ */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** The part of a trace that is one request to the gateway. */
export interface RequestTrace {
  beginAttempt(attempt: TracedAttempt): AttemptTrace;
  end(finished: FinishedTrace): void;
}

/** What is known of a request when it is over; a row of the ledger says it all. */
export interface FinishedTrace {
  /** The `x-request-id`. */
  readonly id: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One try at one upstream. */
export interface TracedAttempt {
  readonly upstream: Upstream;
  /** The model's name there. */
  readonly model: string;
  /** The first is 1. */
  readonly attempt: number;
}

export interface AttemptTrace {
  /** To be sent with the call, so that the upstream can continue the trace. */
  readonly headers: Readonly<Record<string, string>>;
  end(outcome: { readonly failure?: unknown }): void;
}

const noAttempt: AttemptTrace = { headers: {}, end: () => undefined };

/** The trace of a request that nobody follows. */
export const noTrace: RequestTrace = {
  beginAttempt: () => noAttempt,
  end: () => undefined,
};
