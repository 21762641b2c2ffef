import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { isObject } from "@model-gateway/runtime/json";
import { withLocatedInputs } from "../dialects/embeddings/locate-input.js";
import { jsonRequest } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { readVectorRows } from "../http/replies/vector-rows.js";
import { readTokenCount } from "../http/replies/vectors.js";
import type { Send } from "../http/send.js";
import type { CreateEmbedding } from "../provider.js";

/** Creates embeddings at `POST /api/embed`. */
export function createOllamaEmbedding(send: Send, buffers: BufferPool): CreateEmbedding {
  return withLocatedInputs(async (batch, call) => {
    const reply = await send(jsonRequest("/api/embed", bodyOf(batch, call.model)), call);
    const rows = await readVectorRows(reply, { count: batch.inputs.length, buffers });
    if (!isObject(rows.reply)) throw invalidReply("it is not an object");
    const { embeddings, prompt_eval_count } = rows.reply;
    return { items: rows.itemsOf(embeddings), promptTokens: readTokenCount(prompt_eval_count) };
  });
}

/** Without `truncate: false` a text that is too long is cut without a word. */
function bodyOf({ inputs, dimensions }: EmbeddingBatch, model: string): object {
  return { model, input: inputs, truncate: false, dimensions };
}
