import { isObject, objectAt } from "../../domain/json.js";
import type { EmbeddingReply } from "../../domain/requests.js";
import { type CohereForm, cohereBody, cohereVectors } from "../dialects/cohere.js";
import { throwInputError } from "../dialects/embeddings/input-errors.js";
import { jsonRequest, readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { vectorItems } from "../http/replies/vectors.js";
import type { Send } from "../http/send.js";
import type { CreateEmbedding } from "../provider.js";

const batchPhrases = [{ pattern: /texts must be at most (\d+)/i, limits: "inputs" }] as const;

/** Creates embeddings at `POST /embed`. */
export function createCohereEmbedding(send: Send): CreateEmbedding {
  return async (batch, call) => {
    const form = batch.outputDtype ?? batch.encoding_format ?? "float";
    const request = jsonRequest("/embed", { model: call.model, ...cohereBody(batch, form) });
    const reply = await send(request, call).catch(
      throwInputError({ inputCount: batch.inputs.length, phrases: batchPhrases }),
    );
    return readReply(await readJson(reply), form);
  };
}

function readReply(reply: unknown, form: CohereForm): EmbeddingReply {
  if (!isObject(reply)) throw invalidReply("it is not an object");
  return {
    items: vectorItems(cohereVectors(reply, form)),
    promptTokens: readTokens(objectAt(reply, "meta")),
  };
}

/** The units are numbers, which need not be whole. */
function readTokens(meta: Record<string, unknown>): number | undefined {
  const { input_tokens: tokens } = objectAt(meta, "billed_units");
  return typeof tokens === "number" && tokens > 0 && tokens < Number.MAX_SAFE_INTEGER
    ? Math.ceil(tokens)
    : undefined;
}
