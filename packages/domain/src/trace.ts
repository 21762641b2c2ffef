import type { Upstream } from "./model.js";
import type { OperationId } from "./operations.js";

/** Follows requests through the gateway and on to upstreams. It costs nothing when traces are off. */
export interface Tracer {
  begin(request: TracedRequest): RequestTrace;
  /** The spans that were lost since the start. */
  dropped(): DroppedSpans;
  /** Sends the spans that are left, within a few seconds. */
  close(): Promise<void>;
}

export interface DroppedSpans {
  /** They ended faster than they could be exported. */
  readonly queueFull: number;
  /** The collector did not take them. */
  readonly exportFailed: number;
}

export interface TracedRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** The pattern of the path in the spec. */
  readonly route: string;
  /** Without the query: an image link's query holds its signature. */
  readonly path: string;
  /** The headers of the same names, unchanged. https://www.w3.org/TR/trace-context/ */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** The span of one request to the gateway. */
export interface RequestTrace {
  beginAttempt(attempt: TracedAttempt): AttemptTrace;
  end(finished: FinishedTrace): void;
}

/** The outcome of a request. The ledger row has the same fields. */
export interface FinishedTrace {
  /** The `x-request-id`. */
  readonly id: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One attempt at one upstream. */
export interface TracedAttempt {
  readonly upstream: Upstream;
  /** The model's name there. */
  readonly model: string;
  /** The first is 1. */
  readonly attempt: number;
}

export interface AttemptTrace {
  /** Sent with the call, so that the upstream can continue the trace. */
  readonly headers: Readonly<Record<string, string>>;
  end(outcome: { readonly failure?: unknown }): void;
}

const noAttempt: AttemptTrace = { headers: {}, end: () => undefined };

/** Used when traces are off. */
export const noTrace: RequestTrace = {
  beginAttempt: () => noAttempt,
  end: () => undefined,
};
