import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../call.js";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { defineOpenAiLike } from "../dialects/openai/define-provider.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import type { EmbeddingTraits } from "../traits.js";

/** Without a fact about a model. The API names no limit for a call. It refuses more than 16,384 tokens. */
const dialect: EmbeddingTraits = {
  maxInputs: 32,
  maxTokensPerRequest: 16_384,
  maxTokens: 8192,
  encodings: ["float", "base64"],
  dimensions: "emulate",
  tooLong: "refused",
  unitVectors: "unknown",
  takesUser: false,
};

/** https://docs.mistral.ai/api/endpoint/embeddings */
export const mistralProvider = defineOpenAiLike({
  name: "mistral",
  genAiName: "mistral_ai",
  title: "Mistral AI",
  baseUrl: "https://api.mistral.ai/v1",
  embeddings: ({ facts }) => embeddingTraits(facts, dialect),
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

/** Mistral refuses every field that it does not know. */
function bodyOf(batch: EmbeddingBatch, { model }: ModelTarget): object {
  const { inputs, dimensions, outputDtype, encoding_format } = batch;
  return {
    model,
    input: inputs,
    output_dimension: dimensions,
    output_dtype: outputDtype,
    encoding_format,
  };
}
