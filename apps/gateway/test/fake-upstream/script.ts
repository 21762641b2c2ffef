/** What a fake upstream is told to do. It is plain JSON, so that it can be sent to one that runs elsewhere. */
export interface Script {
  /** What is done with every request, where nothing below says otherwise. */
  readonly always?: Behaviour;
  /** What is done with the requests for a model, by its name. It stands above `always`, key by key. */
  readonly models?: Readonly<Record<string, Behaviour>>;
  /** What is done with the next requests, one after the other. It stands above the rest, key by key. */
  readonly next?: readonly Behaviour[];
  /** Where chance begins. The same seed makes the same choices. */
  readonly seed?: number;
}

/** How a request is answered. What is left out is done as a good upstream does it. */
export interface Behaviour {
  /** Nothing is answered until another script is followed. */
  readonly isHeld?: boolean;
  /** How long an answer takes. */
  readonly delayMs?: Span;
  /** Some answers take another time. */
  readonly slow?: { readonly percent: number; readonly delayMs: Span };
  /** What goes wrong. At most one of them befalls a request; the sum of their per cents is at most 100. */
  readonly faults?: readonly Fault[];
  /** How long vectors are where `dimensions` is not asked for. */
  readonly width?: number;
  /** All inputs get one vector, and an answer that was given once is given again as it stands: for benchmarks. */
  readonly vectors?: "alike";
  /** Numbers are given whatever is asked for. */
  readonly encoding?: "float";
  /** The last input's vector comes first. Only `index` says what is what. */
  readonly order?: "reversed";
  /** How many inputs one call may have; more are refused in the words of text-embeddings-inference. */
  readonly inputsMax?: number;
  /** How many tokens one call may have; more are refused in OpenAI's words. */
  readonly tokensMax?: number;
  /** One pixel, or what was asked for, or noise of at least so many bytes. */
  readonly images?: "tiny" | "drawn" | number;
}

/** A fixed time, or one between two. */
export type Span = number | readonly [from: number, to: number];

/**
 * One thing that goes wrong, with its share of the requests in per cent, or all of them. `afterBytes` counts the bytes
 * of the body, as `slice` does: 0 is after the headers, -1 before the last byte; without it not even headers are sent.
 */
export type Fault = { readonly percent?: number } & (
  | {
      /** Another answer than the good one. Without a body it is an error with the status in its message. */
      readonly kind: "answer";
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly kind: "stall"; readonly afterBytes?: number }
  | { readonly kind: "cut"; readonly afterBytes?: number }
  | { readonly kind: "reset"; readonly afterBytes?: number }
  | { readonly kind: "drip"; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: "garbage" }
  | { readonly kind: "lie"; readonly lie: string }
);

/** A request as it reached the upstream. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON body, or the text fields of a form. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The parts of a form, up to its first megabyte. */
  readonly parts: readonly FormPart[];
  /** What it was answered with; undefined where it was not. */
  status?: number;
}

export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

/** What has come to an upstream since it started. */
export interface Seen {
  readonly requests: number;
  readonly inFlight: number;
  /** How many requests were given up by whoever sent them. */
  readonly abandoned: number;
  readonly bodyBytes: number;
  /** How many connections were ever made, and are open now. Those that bring scripts do not count. */
  readonly connections: { readonly made: number; readonly open: number };
  /** The last requests, with the latest at the end. */
  readonly last: readonly Pick<ReceivedRequest, "path" | "body" | "status">[];
}

/** An answer before it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Buffer[];
}
