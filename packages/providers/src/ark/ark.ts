import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import { z } from "zod";
import type { ModelTarget } from "../call.js";
import { withLocatedInputs } from "../dialects/embeddings/locate-input.js";
import { createEmbeddingOperation } from "../dialects/openai/create-embedding.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import { readArkError } from "./errors.js";
import { createArkImages } from "./images.js";
import { embeddingTraitsOf, imageTraitsOf, modelBehind } from "./models.js";

/** Seedream and Doubao, at Volcengine or at BytePlus. https://www.volcengine.com/docs/82379 */
export const arkProvider = defineRemoteProvider({
  name: "ark",
  title: "Volcengine Ark",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the service, up to and including /api/v3.",
      "https://ark.cn-beijing.volces.com/api/v3",
    ),
    apiKey: requiredApiKey,
    endpoints: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe("The image model behind each of your own endpoints, by the name of the endpoint."),
  },
  embeddings: ({ facts }) => embeddingTraitsOf(facts),
  images: ({ facts }) => imageTraitsOf(facts),
  needs: { image: "facts" },
  nameInCatalogue: modelBehind,
  examples: { embeddings: ["doubao-embedding-large-text-250515"] },
  environment: {
    settings: { apiKey: { variables: ["ARK_API_KEY"], isRequired: true } },
  },
  readError: readArkError,
  open: (send, { tools }) => ({
    operations: {
      createEmbedding: withLocatedInputs(createEmbeddingOperation(send, tools.buffers, { bodyOf })),
      ...createArkImages(send),
    },
  }),
});

function bodyOf({ inputs, encoding_format }: EmbeddingBatch, { model }: ModelTarget): object {
  return { model, input: inputs, encoding_format };
}
