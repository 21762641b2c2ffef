import { type SerializedResponse, serializeVectors } from "../../../embeddings/serialize.js";
import type { Handler } from "../../handler.js";
import { type EmbeddingHandlerServices, embed } from "../createEmbedding.js";
import { refuseOptions } from "./createOllamaEmbedding.js";

export function createOllamaEmbeddingLegacy({
  catalog,
  embeddings,
  shadow,
}: EmbeddingHandlerServices): Handler<"createOllamaEmbeddingLegacy"> {
  const services = {
    catalog,
    embeddings,
    shadow,
    serialize: ({ vectors }: SerializedResponse) =>
      serializeVectors(vectors, { before: '{"embedding":', after: "}" }),
  };
  return async ({ body: { model, prompt, options }, context, header }) => {
    refuseOptions(options);
    return embed(model, { body: { input: prompt }, context, header }, services);
  };
}
