import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { defaultTokensMax, googleInputTypes } from "../dialects/google/embeddings.js";
import { readGoogleError } from "../dialects/google/errors.js";
import { createGeminiImageOperations, geminiImageProfile } from "../dialects/google/images.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import type { EmbeddingTraits } from "../traits.js";
import { createGeminiContentEmbedding, createGeminiEmbedding, modelPath } from "./embeddings.js";

/** Without a fact about a model. */
const dialect: EmbeddingTraits = {
  maxInputs: 100,
  maxTokens: defaultTokensMax,
  encodings: ["float"],
  inputTypes: googleInputTypes,
  dimensions: "pass",
  tooLong: "counted",
  unitVectors: "not-always",
  takesUser: false,
};

/** https://ai.google.dev/api */
export const geminiProvider = defineRemoteProvider({
  name: "gemini",
  genAiName: "gcp.gemini",
  title: "Google Gemini",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the API, with its version.",
      "https://generativelanguage.googleapis.com/v1beta",
    ),
    apiKey: requiredApiKey,
  },
  embeddings: ({ facts }) => embeddingTraits(facts, dialect),
  // There are no masks: an edit describes the change in words.
  images: ({ facts }) => imageTraits(facts, { profile: geminiImageProfile }),
  environment: {
    settings: {
      apiKey: { variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"], isRequired: true },
      baseUrl: { variables: ["GOOGLE_GEMINI_BASE_URL"], path: "/v1beta" },
    },
  },
  // Never in the query, which ends up in the logs of proxies.
  authenticate: ({ apiKey }) => ["x-goog-api-key", apiKey],
  readError: readGoogleError,
  open: (send) => ({
    operations: {
      createEmbedding: createGeminiEmbedding(send),
      createContentEmbedding: createGeminiContentEmbedding(send),
      ...createGeminiImageOperations(send, modelPath),
    },
  }),
});
