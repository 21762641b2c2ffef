/** The behaviour of a fake upstream. It is plain JSON, so that it can be sent to one in another process. */
export interface Script {
  /** For every request. */
  readonly always?: Behaviour;
  /** For requests with this model name. Each key overrides the one in `always`. */
  readonly models?: Readonly<Record<string, Behaviour>>;
  /** For the next requests, one after the other. Each key overrides those above. */
  readonly next?: readonly Behaviour[];
  /** The reply to `GET /v1/models`: names, or the status of an error. Without it, no models. */
  readonly listed?: readonly string[] | number;
  /** The seed of the random choices. */
  readonly seed?: number;
}

/** The upstream's treatment of a request. Without any key it behaves well. */
export interface Behaviour {
  /** Holds the request until the next script. */
  readonly isHeld?: boolean;
  /** Delay of a reply. */
  readonly delayMs?: Span;
  /** A share of the replies with a longer delay. */
  readonly slow?: { readonly percent: number; readonly delayMs: Span };
  /** At most one of them affects a request. Their percentages add up to at most 100. */
  readonly faults?: readonly Fault[];
  /** The length of vectors if the request has no `dimensions`. */
  readonly width?: number;
  /** All inputs get the same vector, and replies are cached: for benchmarks. */
  readonly vectors?: "alike";
  /** Inputs with content get other vectors than from a fake without this. Those of texts stay the same. */
  readonly imageVectors?: "other";
  /** Always returns numbers, even if base64 was requested. */
  readonly encoding?: "float";
  /** The vector of the last input comes first, with the right `index`. */
  readonly order?: "reversed";
  /** The most inputs of one call. More are refused with the error of text-embeddings-inference. */
  readonly inputsMax?: number;
  /** The most tokens in one call. More are refused with OpenAI's error. */
  readonly tokensMax?: number;
  /** One pixel, or an image with the requested options, or noise of at least this many bytes. */
  readonly images?: "tiny" | "requested" | number;
}

/** Fixed, or random between two bounds. */
export type Span = number | readonly [from: number, to: number];

/**
 * A fault, and the percentage of requests that it affects, or all of them. `afterBytes` counts the bytes of the body as
 * `slice` does: 0 is after the headers, -1 is before the last byte. Without it not even headers are sent.
 */
export type Fault = { readonly percent?: number } & (
  | {
      /** This reply instead of the right one. Without a body it is an error with the status in its message. */
      readonly kind: "reply";
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
  /** The status of the reply, once there is one. */
  status?: number;
}

export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

/** Requests received since the upstream started. */
export interface Seen {
  readonly requests: number;
  readonly inFlight: number;
  /** Requests whose caller left before the reply was complete. */
  readonly abandoned: number;
  readonly bodyBytes: number;
  /** Connections in all, and those that are open. Control connections do not count. */
  readonly connections: { readonly total: number; readonly open: number };
  /** The last requests, the latest at the end. */
  readonly last: readonly Pick<ReceivedRequest, "path" | "body" | "status">[];
}

/** A reply before it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Buffer[];
}
