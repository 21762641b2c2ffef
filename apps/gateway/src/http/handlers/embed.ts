import { writeAnswer } from "../../embeddings/write-answer.js";
import type { RequestBody } from "../../operations.js";
import type { Relay } from "../../relay.js";
import { cacheWishes } from "./cache-wishes.js";
import { errand } from "./errand.js";
import type { PiecesAnswer, ValidRequest } from "./handler.js";
import { withoutNulls } from "./without-nulls.js";

type EmbeddingOperation = "createEmbedding" | "createEmbeddingLegacy";

/** What both paths do, once it is clear which model is meant. */
export async function embed(
  relay: Relay,
  modelId: string,
  { body, context, header }: Omit<ValidRequest<EmbeddingOperation>, "parameters">,
): Promise<PiecesAnswer> {
  const { model: _model, ...request } = withoutNulls<RequestBody<"createEmbeddingLegacy">>(body);
  const { vectors, promptTokens, cache } = await relay.createEmbedding(request, {
    ...errand(modelId, context),
    cache: cacheWishes(header("cache-control")),
  });
  context.cache = cache;
  return {
    headers: cache === undefined ? {} : { "x-gateway-cache": cache },
    pieces: writeAnswer({
      model: modelId,
      vectors,
      promptTokens,
      encoding: request.encoding_format ?? "float",
    }),
  };
}
