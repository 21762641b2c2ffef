import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../call.js";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { defineOpenAiLike } from "../dialects/openai/define-provider.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import type { EmbeddingTraits } from "../traits.js";
import {
  contentBody,
  isMultimodal,
  multimodalPath,
  multimodalTraits,
  multimodalVariant,
  textBody,
} from "./multimodal.js";

/** The prompt of a search is added by the provider; for every other use it wants none. */
const inputTypes = new Map([
  ["query", "query"],
  ["document", "document"],
  ["similarity", null],
  ["classification", null],
  ["clustering", null],
]);

/** Without a fact about a model. */
const dialect: EmbeddingTraits = {
  // The official client cuts at this number.
  maxInputs: 128,
  maxTokensPerRequest: 120_000,
  maxTokens: 32_000,
  encodings: ["float", "base64"],
  inputTypes,
  dimensions: "emulate",
  tooLong: "refused",
  unitVectors: "always",
  takesUser: false,
};
const multimodalDialect: EmbeddingTraits = { ...dialect, ...multimodalTraits };

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyageProvider = defineOpenAiLike({
  name: "voyage",
  title: "Voyage AI",
  baseUrl: "https://api.voyageai.com/v1",
  embeddings: ({ facts }) => embeddingTraits(facts, isMultimodal(facts) ? multimodalDialect : dialect),
  variants: [multimodalVariant],
  environment: {
    settings: { apiKey: { variables: ["VOYAGE_API_KEY"], isRequired: true } },
  },
  pathOf: ({ facts }) => (isMultimodal(facts) ? multimodalPath : "/embeddings"),
  bodyOf,
  contents: { path: multimodalPath, bodyOf: contentBody },
  readError,
  batchPhrases: [{ pattern: /max allowed tokens per submitted batch is (\d+)/i, limits: "tokens" }],
});

/** Without `truncation: false` a text that is too long is cut without a word. `float` is not a value of its encoding. */
function bodyOf(batch: EmbeddingBatch, { model, facts }: ModelTarget): object {
  if (isMultimodal(facts)) return textBody(batch, model);
  const { inputs, dimensions, encoding_format, outputDtype, inputType } = batch;
  return {
    model,
    input: inputs,
    truncation: false,
    input_type: inputType,
    output_dimension: dimensions,
    output_dtype: outputDtype,
    encoding_format: encoding_format === "base64" ? "base64" : undefined,
  };
}

/** `{"detail": "text"}`. It has no code, so only the text shows that an input is too long. */
function readError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply, { output_dimension: "dimensions" });
  const tooLong = /example at index (\d+) in your batch has too many tokens/i.exec(reported.message ?? "");
  if (reply.status !== 400 || tooLong === null) return reported;
  return { ...reported, code: "context_length_exceeded", param: `input[${tooLong[1]}]` };
}
