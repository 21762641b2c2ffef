import { isObject, listAt, objectAt } from "../../domain/json.js";
import type { EmbeddingBatch, EmbeddingReply } from "../../domain/requests.js";
import type { Vector } from "../../domain/vector.js";
import { asInputError } from "../dialects/embeddings/input-errors.js";
import { jsonRequest, readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { vectorOf } from "../http/replies/vectors.js";
import type { IncomingReply, Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";

const batchPhrases = [{ pattern: /texts must be at most (\d+)/i, limits: "inputs" }] as const;

/**
 * Its words for input types, which the models have on other services too. There is none for similarity: the nearest one,
 * clustering, creates other vectors.
 */
export const cohereInputTypes = new Map([
  ["query", "search_query"],
  ["document", "search_document"],
  ["classification", "classification"],
  ["clustering", "clustering"],
  ["search_query", "search_query"],
  ["search_document", "search_document"],
]);

/** Creates embeddings at `POST /embed`. */
export function createCohereEmbedding(send: Send): NonNullable<ProviderOperations["createEmbedding"]> {
  return async (batch, call) => {
    let reply: IncomingReply;
    try {
      reply = await send(jsonRequest("/embed", bodyOf(batch, call.model)), call);
    } catch (failure) {
      throw asInputError(failure, { inputCount: batch.inputs.length, phrases: batchPhrases });
    }
    return readReply(await readJson(reply), encodingOf(batch));
  };
}

/** Without `truncate: NONE` a text that is too long is cut without a word. */
function bodyOf(batch: EmbeddingBatch, model: string): object {
  const { inputs, dimensions, inputType } = batch;
  return {
    model,
    texts: inputs,
    input_type: inputType,
    embedding_types: [encodingOf(batch)],
    output_dimension: dimensions,
    truncate: "NONE",
  };
}

function encodingOf({ encoding_format }: EmbeddingBatch): "float" | "base64" {
  return encoding_format ?? "float";
}

function readReply(reply: unknown, encoding: "float" | "base64"): EmbeddingReply {
  if (!isObject(reply)) throw invalidReply("it is not an object");
  const vectors = listAt(reply.embeddings, encoding);
  return {
    items: vectors.map((value, index) => ({ index, vector: vectorAt(value, index) })),
    promptTokens: readTokens(objectAt(reply, "meta")),
  };
}

function vectorAt(value: unknown, index: number): Vector {
  const vector = vectorOf(value);
  if (typeof vector === "string") throw invalidReply(`the vector ${index} ${vector}`);
  return vector;
}

/** The units are numbers, which need not be whole. */
function readTokens(meta: Record<string, unknown>): number | undefined {
  const { input_tokens: tokens } = objectAt(meta, "billed_units");
  return typeof tokens === "number" && tokens > 0 && tokens < Number.MAX_SAFE_INTEGER
    ? Math.ceil(tokens)
    : undefined;
}
