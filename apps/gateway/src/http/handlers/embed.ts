import { writeAnswer } from "../../embeddings/write-answer.js";
import type { Relay } from "../../relay.js";
import { cacheWishes } from "./cache-wishes.js";
import { errand } from "./errand.js";
import type { PiecesAnswer, ValidRequest } from "./handler.js";

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
