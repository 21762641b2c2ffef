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

/** The options of a call in the form that `fetch` takes. */
export function transport(options: CallOptions | undefined) {
  return { headers: { ...headersOf(options), ...options?.headers }, signal: options?.signal ?? null };
}

/** The response is read as text, so that one that is not JSON becomes a failure and not an exception. */
export function asText(options: CallOptions | undefined) {
  return { ...transport(options), parseAs: "text" as const };
}

export function asStream(options: CallOptions | undefined) {
  return { ...transport(options), parseAs: "stream" as const };
}

export function asBlob(options: CallOptions | undefined) {
  return { ...transport(options), parseAs: "blob" as const };
}

/** The options that are sent as headers. */
function headersOf(options: (EmbeddingOptions & ImageOptions) | undefined): Record<string, string> {
  const { cache, idempotencyKey, allowPartial, upstream, targetModel } = options ?? {};
  return {
    ...(cache === undefined ? {} : { "cache-control": cache }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(allowPartial === true ? { "x-gateway-partial": "allow" } : {}),
    ...(upstream === undefined ? {} : { "x-gateway-target": upstream }),
    ...(targetModel === undefined ? {} : { "x-gateway-target-model": targetModel }),
  };
}

/** The spec defines `group_by` as one parameter with commas, not as a repeated parameter. */
export const listsWithCommas = { array: { style: "form", explode: false } } as const;

export function atCursor<Query extends object>(query: Query, cursor: string | undefined): Query {
  return cursor === undefined ? query : { ...query, cursor };
}
