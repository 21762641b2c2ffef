/** The options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Added to the headers of the client; a header of the same name is replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of embedding calls. */
export interface EmbeddingOptions extends CallOptions {
  /** `no-cache` requests newly computed vectors. `no-store` also keeps them out of the cache. */
  readonly cache?: "no-cache" | "no-store" | undefined;
  /** The upstream that must serve the request. Only the session of an operator may send it. */
  readonly upstream?: string | undefined;
  /** The name of the model at that upstream, if it serves the model under several names. */
  readonly targetModel?: string | undefined;
}

/** The options of image calls. */
export interface ImageOptions extends CallOptions {
  /** Identifies the request. Sent again with the same key and body, it is neither run nor paid for twice. */
  readonly idempotencyKey?: string | undefined;
  /** Accepts fewer images than `n` if some fail. Without it the whole call fails. */
  readonly allowPartial?: boolean | undefined;
  /** The upstream that must serve the request. Only the session of an operator may send it. */
  readonly upstream?: string | undefined;
  /** The name of the model at that upstream, if it serves the model under several names. */
  readonly targetModel?: string | undefined;
}

/** The options of `retrieveJob`. */
export interface JobOptions extends CallOptions {
  /** How long the response may wait for the end of the job, in seconds. At most 60. */
  readonly waitSeconds?: number | undefined;
}

/** The options of streaming calls. */
export interface StreamOptions extends ImageOptions {
  /** The largest event to accept. Default: 64 MiB. */
  readonly eventBytesMax?: number | undefined;
}

/** Every option of a call. */
export type AnyOptions = EmbeddingOptions & StreamOptions & JobOptions;

/** The options of a call in the form that `fetch` takes. `headers` are those of the method. */
export function transport(options: AnyOptions | undefined, headers: Readonly<Record<string, string>> = {}) {
  return {
    headers: { ...headersOf(options), ...headers, ...options?.headers },
    signal: options?.signal ?? null,
  };
}

/** The options that are sent as headers. */
function headersOf(options: AnyOptions | undefined): Record<string, string> {
  const { cache, idempotencyKey, allowPartial, upstream, targetModel, waitSeconds } = options ?? {};
  return {
    ...(cache === undefined ? {} : { "cache-control": cache }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(allowPartial === true ? { "x-gateway-partial": "allow" } : {}),
    ...(upstream === undefined ? {} : { "x-gateway-target": upstream }),
    ...(targetModel === undefined ? {} : { "x-gateway-target-model": targetModel }),
    ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
  };
}
