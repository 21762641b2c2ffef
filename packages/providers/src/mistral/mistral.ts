import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import { defineOpenAiLike } from "../dialects/openai/define-provider.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import type { EmbeddingTraits } from "../traits.js";

/** https://docs.mistral.ai/api/endpoint/embeddings */
export const mistralProvider = defineOpenAiLike({
  name: "mistral",
  genAiName: "mistral_ai",
  title: "Mistral AI",
  baseUrl: "https://api.mistral.ai/v1",
  embeddings: traitsOf,
  environment: {
    settings: { apiKey: { variables: ["MISTRAL_API_KEY"], isRequired: true } },
  },
  bodyOf,
  readError: (reply) => readOpenAiError(reply, { output_dimension: "dimensions" }),
  // The words of real refusals, today and before.
  batchPhrases: [
    { pattern: /too many tokens in batch\. max is (\d+)/i, limits: "tokens" },
    { pattern: /too many tokens overall/i, limits: "tokens" },
    { pattern: /too many inputs in request/i, limits: "inputs" },
  ],
});

/** The API names no limit for a call. It refuses more than 16,384 tokens. */
function traitsOf(model: string): EmbeddingTraits {
  const isFlexible = model.startsWith("codestral-embed");
  return {
    maxInputs: 32,
    maxTokensPerRequest: 16_384,
    maxTokens: 8192,
    encodings: ["float", "base64"],
    ...(isFlexible ? { outputDtypes: ["int8", "uint8"] } : {}),
    dimensions: isFlexible ? "pass" : "emulate",
    tooLong: "refused",
    // Its documentation promises unit vectors, but not for those that were shortened.
    unitVectors: isFlexible ? "not-always" : "always",
    takesUser: false,
  };
}

/** Mistral refuses every field that it does not know. */
function bodyOf(batch: EmbeddingBatch, model: string): object {
  const { inputs, dimensions, outputDtype, encoding_format } = batch;
  return {
    model,
    input: inputs,
    output_dimension: dimensions,
    output_dtype: outputDtype,
    encoding_format,
  };
}
