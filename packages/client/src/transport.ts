import type { CallOptions, EmbeddingOptions, ImageOptions } from "./operations.js";

/** How openapi-fetch is told of the options of a call. */
export function transport(options: CallOptions | undefined) {
  return { headers: { ...headersOf(options), ...options?.headers }, signal: options?.signal ?? null };
}

/** The answer is taken as text, so that one which is not JSON becomes a failure and not an exception. */
export function asText(options: CallOptions | undefined) {
  return { ...transport(options), parseAs: "text" as const };
}

export function asStream(options: CallOptions | undefined) {
  return { ...transport(options), parseAs: "stream" as const };
}

/** The options that have a header of their own. */
function headersOf(options: (EmbeddingOptions & ImageOptions) | undefined): Record<string, string> {
  const { cache, idempotencyKey, allowPartial } = options ?? {};
  return {
    ...(cache === undefined ? {} : { "cache-control": cache }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(allowPartial === true ? { "x-gateway-partial": "allow" } : {}),
  };
}
