import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import { defineOpenAiLike } from "../dialects/openai/define-provider.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import type { EmbeddingTraits } from "../traits.js";
import {
  contentBody,
  hasVideo,
  isMultimodal,
  multimodalPath,
  multimodalTraits,
  textBody,
  videoTraits,
} from "./multimodal.js";

/** https://docs.voyageai.com/reference/embeddings-api */
export const voyageProvider = defineOpenAiLike({
  name: "voyage",
  title: "Voyage AI",
  baseUrl: "https://api.voyageai.com/v1",
  embeddings: traitsOf,
  environment: {
    settings: { apiKey: { variables: ["VOYAGE_API_KEY"], isRequired: true } },
  },
  pathOf: (model) => (isMultimodal(model) ? multimodalPath : "/embeddings"),
  bodyOf,
  contents: { path: multimodalPath, bodyOf: contentBody },
  readError,
  batchPhrases: [{ pattern: /max allowed tokens per submitted batch is (\d+)/i, limits: "tokens" }],
});

/** The prompt of a search is added by the provider; for every other use it wants none. */
const inputTypes = new Map([
  ["query", "query"],
  ["document", "document"],
  ["similarity", null],
  ["classification", null],
  ["clustering", null],
]);

function traitsOf(model: string): EmbeddingTraits {
  const isFlexible = /^voyage-(4|3\.5|3-large|code-[34])/.test(model);
  return {
    // The official client cuts at this number.
    maxInputs: 128,
    maxTokensPerRequest: tokensPerRequest(model),
    maxTokens: model === "voyage-law-2" || model === "voyage-code-2" ? 16_000 : 32_000,
    encodings: ["float", "base64"],
    ...(isFlexible ? { outputDtypes: ["int8", "uint8"] } : {}),
    inputTypes,
    dimensions: isFlexible ? "pass" : "emulate",
    ...(isFlexible ? { widths: [256, 512, 1024, 2048] } : {}),
    tooLong: "refused",
    unitVectors: "always",
    takesUser: false,
    ...(isMultimodal(model) ? multimodalTraits : {}),
    ...(hasVideo(model) ? videoTraits : {}),
  };
}

/** https://docs.voyageai.com/docs/embeddings */
function tokensPerRequest(model: string): number {
  if (/^voyage-(4|3\.5)-lite/.test(model)) return 1_000_000;
  return /^voyage-(4|3\.5)(?!-large)/.test(model) ? 320_000 : 120_000;
}

/** Without `truncation: false` a text that is too long is cut without a word. `float` is not a value of its encoding. */
function bodyOf(batch: EmbeddingBatch, model: string): object {
  if (isMultimodal(model)) return textBody(batch, model);
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
