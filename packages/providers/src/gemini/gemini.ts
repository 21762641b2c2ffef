import {
  googleInputImages,
  googleInputMedia,
  googleInputTypes,
  hasImages,
  textTokensMax,
} from "../dialects/google/embeddings.js";
import { readGoogleError } from "../dialects/google/errors.js";
import { createGeminiImageOperations, geminiImageProfile } from "../dialects/google/images.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import type { EmbeddingTraits } from "../traits.js";
import { createGeminiContentEmbedding, createGeminiEmbedding, modelPath } from "./embeddings.js";

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
  embeddings: traitsOf,
  // There are no masks: an edit describes the change in words.
  images: () => ({ profile: geminiImageProfile }),
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

function traitsOf(model: string): EmbeddingTraits {
  return {
    maxInputs: 100,
    maxTokens: textTokensMax(model),
    encodings: ["float"],
    inputTypes: googleInputTypes,
    dimensions: "pass",
    widths: [128, 256, 512, 768, 1024, 1536, 2048, 3072],
    tooLong: "counted",
    // Only full-width vectors have a length of 1.
    unitVectors: "not-always",
    ...(hasImages(model) ? { inputImages: googleInputImages, inputMedia: googleInputMedia } : {}),
    takesUser: false,
  };
}
