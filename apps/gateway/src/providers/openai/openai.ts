import { defineOpenAiServer, openAiTraits } from "../dialects/openai/define-provider.js";
import { baseUrlSetting } from "../http/remote-settings.js";

/** OpenAI itself. https://platform.openai.com/docs/api-reference */
export const openAiProvider = defineOpenAiServer({
  name: "openai",
  title: "OpenAI",
  baseUrl: baseUrlSetting(
    "The address of the service, up to and including /v1.",
    "https://api.openai.com/v1",
  ),
  // All of OpenAI's embedding models share one vocabulary, and its clients send token ids from it.
  embeddings: () => ({ ...openAiTraits, tokenizer: "cl100k_base" }),
  examples: { embeddings: ["text-embedding-3-small"], images: ["gpt-image-1"] },
  environment: {
    settings: {
      apiKey: { variables: ["OPENAI_API_KEY"], isRequired: true },
      baseUrl: { variables: ["OPENAI_BASE_URL", "OPENAI_API_BASE"] },
    },
    models: () => ({
      embedding: {
        "text-embedding-3-small": { dimensions: 1536, matryoshka: true, maxTokens: 8192 },
        "text-embedding-3-large": { dimensions: 3072, matryoshka: true, maxTokens: 8192 },
      },
      image: {
        "gpt-image-2": {},
        "gpt-image-2.5-flare": { profile: "gpt-image-2.5" },
        "gpt-image-2.5-sunburst": { profile: "gpt-image-2.5" },
      },
    }),
  },
});
