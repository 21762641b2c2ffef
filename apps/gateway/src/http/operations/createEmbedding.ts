import type { CacheWishes } from "../../embeddings/cache/input-cache.js";
import { writeAnswer } from "../../embeddings/write-response.js";
import type { Relay } from "../../relay.js";
import { errand } from "../authorize-model.js";
import type { Handler, PiecesAnswer, ValidRequest } from "../handler.js";

export function createEmbedding(relay: Relay): Handler<"createEmbedding"> {
  return (request) => embed(relay, request.body.model, request);
}

type EmbeddingOperation = "createEmbedding" | "createEmbeddingLegacy";

/** What both paths do, once it is clear which model is meant. */
export async function embed(
  relay: Relay,
  modelId: string,
  { body, context, header }: Omit<ValidRequest<EmbeddingOperation>, "parameters">,
): Promise<PiecesAnswer> {
  const { input, dimensions, encoding_format, user } = body;
  // A parameter that is null is a parameter that was not given.
  const encoding = encoding_format ?? "float";
  const { vectors, promptTokens, cache, letGo } = await relay.createEmbedding(
    { input, dimensions: dimensions ?? undefined, encoding_format: encoding, user: user ?? undefined },
    errand(modelId, context),
    cacheWishes(header("cache-control")),
  );
  context.cache = cache;
  const { pieces, bytes } = writeAnswer({ model: modelId, vectors, promptTokens, encoding });
  return {
    headers: cache === undefined ? {} : { "x-gateway-cache": cache },
    pieces,
    bytes,
    onSent: letGo,
  };
}

/** `no-cache`: a fresh answer, which may be kept. `no-store`: neither read nor kept. https://www.rfc-editor.org/rfc/rfc9111 */
export function cacheWishes(cacheControl: string | undefined): CacheWishes {
  if (cacheControl === undefined) return noWishes;
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  const isPrivate = directives.includes("no-store");
  return { read: !isPrivate && !directives.includes("no-cache"), write: !isPrivate };
}

const noWishes: CacheWishes = Object.freeze({ read: true, write: true });
