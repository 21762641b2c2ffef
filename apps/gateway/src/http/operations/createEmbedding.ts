import type { CacheDirectives } from "../../embeddings/cache/input-cache.js";
import { writeEmbeddingResponse } from "../../embeddings/write-response.js";
import type { Relay } from "../../relay.js";
import { authorizeModel } from "../authorize-model.js";
import type { ChunkedResponse, Handler, ValidRequest } from "../handler.js";

export function createEmbedding(relay: Relay): Handler<"createEmbedding"> {
  return (request) => embed(relay, request.body.model, request);
}

type EmbeddingOperation = "createEmbedding" | "createEmbeddingLegacy";

/** What both paths do, once it is clear which model is meant. */
export async function embed(
  relay: Relay,
  modelId: string,
  { body, context, header }: Omit<ValidRequest<EmbeddingOperation>, "parameters">,
): Promise<ChunkedResponse> {
  const { input, dimensions, encoding_format, user } = body;
  // A parameter that is null is a parameter that was not given.
  const encoding = encoding_format ?? "float";
  const { vectors, promptTokens, cache, release } = await relay.createEmbedding(
    { input, dimensions: dimensions ?? undefined, encoding_format: encoding, user: user ?? undefined },
    authorizeModel(modelId, context),
    readCacheDirectives(header("cache-control")),
  );
  context.cache = cache;
  const { chunks, bytes } = writeEmbeddingResponse({ model: modelId, vectors, promptTokens, encoding });
  return {
    headers: cache === undefined ? {} : { "x-gateway-cache": cache },
    chunks,
    bytes,
    onSent: release,
  };
}

/** `no-cache`: a fresh answer, which may be kept. `no-store`: neither read nor kept. https://www.rfc-editor.org/rfc/rfc9111 */
export function readCacheDirectives(cacheControl: string | undefined): CacheDirectives {
  if (cacheControl === undefined) return defaultDirectives;
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  const isPrivate = directives.includes("no-store");
  return { read: !isPrivate && !directives.includes("no-cache"), write: !isPrivate };
}

const defaultDirectives: CacheDirectives = Object.freeze({ read: true, write: true });
