import { filesOf } from "@model-gateway/domain/content-input";
import { GatewayError } from "@model-gateway/domain/errors";
import type { ContentBatch, EmbeddingBatch, TextInput } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../call.js";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { aboutInput } from "../dialects/embeddings/input-errors.js";
import type { PlaceImage, RequestFile } from "../dialects/images/image-body.js";
import { defineOpenAiLike } from "../dialects/openai/define-provider.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import type { EmbeddingTraits } from "../traits.js";

/** https://api.jina.ai/docs */
export const jinaProvider = defineOpenAiLike({
  name: "jina",
  title: "Jina AI",
  baseUrl: "https://api.jina.ai/v1",
  embeddings: ({ facts }) => embeddingTraits(facts, dialect),
  variants: ["normalized"],
  environment: {
    settings: { apiKey: { variables: ["JINA_API_KEY"], isRequired: true } },
  },
  bodyOf,
  contents: { bodyOf: contentBody },
  readError: readJinaError,
  nameInput,
  // The words of a real refusal. The other one, "at most 512 items", is a common phrase.
  batchPhrases: [{ pattern: /larger than the largest allowed size (\d+)/i, limits: "inputs" }],
});

/** Without a fact about a model: no options, and the gateway shortens its vectors. */
const dialect: EmbeddingTraits = {
  // The older models take 2,048.
  maxInputs: 512,
  maxTokens: 8192,
  encodings: ["float", "base64"],
  dimensions: "emulate",
  tooLong: "refused",
  unitVectors: "not-always",
  takesUser: false,
};

/** It refuses long texts unless a field asks it to cut them. Only some models know `normalized`, and the rest refuse it. */
function bodyOf(
  { inputs, dimensions, encoding_format, inputType }: EmbeddingBatch,
  { model, facts }: ModelTarget,
): object {
  return {
    model,
    input: inputs,
    task: inputType,
    dimensions,
    embedding_type: encoding_format === "base64" ? "base64" : undefined,
    truncate: false,
    normalized: facts?.variant === "normalized" ? true : undefined,
  };
}

/** A file is base64 without a type before it, under the name of its kind. */
function contentBody({ inputs, ...batch }: ContentBatch, target: ModelTarget, base64: PlaceImage): object {
  const files = inputs.flatMap(filesOf).map((file) => ({ [fieldOf(file)]: base64(file) }));
  return { ...bodyOf({ ...batch, inputs: [] }, target), input: files };
}

function fieldOf(file: RequestFile): string {
  if (!("kind" in file)) return "image";
  return file.kind === "file" ? "pdf" : file.kind;
}

/** `{"code", "message"}`, `{"detail"}` or `{"error": {"message"}}`. */
export function readJinaError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply, { task: "input_type", embedding_type: "encoding_format" });
  const { message = "", word = "" } = reported;
  // An account without money has the status of a refused key.
  if (reply.status === 403 && /^AUTHZ_(INSUFFICIENT_BALANCE|RESOURCE_LIMIT_EXCEEDED)$/.test(word))
    return { ...reported, code: "insufficient_quota" };
  if (word === "INPUT_MODEL_NOT_FOUND") return { ...reported, code: "upstream_model_missing" };
  if ((reply.status === 400 || reply.status === 422) && isAboutTokens(message))
    return { ...reported, code: "context_length_exceeded", param: "input" };
  return reported;
}

/** It has no code for a text that is too long, and its wording is not documented: this is a guess. */
function isAboutTokens(message: string): boolean {
  return /\btokens?\b/i.test(message) && /exceed|maximum|too long|longer than|larger than/i.test(message);
}

/**
 * A refusal does not say which text is too long. No text has more tokens than bytes, so only those with more bytes than
 * the limit can be: if that is a single one, it is the one.
 */
function nameInput(failure: unknown, inputs: readonly TextInput[], { facts }: ModelTarget): unknown {
  if (!(failure instanceof GatewayError) || failure.code !== "context_length_exceeded") return failure;
  const maxTokens = facts?.limits?.max_tokens ?? dialect.maxTokens ?? 0;
  const long = inputs.flatMap((input, index) =>
    typeof input === "string" && Buffer.byteLength(input) > maxTokens ? [index] : [],
  );
  const [inputIndex] = inputs.length === 1 ? [0] : long;
  if (inputIndex === undefined || long.length > 1) return failure;
  return aboutInput(failure, inputIndex);
}
