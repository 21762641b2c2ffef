import { BatchTooLargeError, type EmbeddingBatch, type EmbeddingReply } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import type { Call } from "../call.js";
import { asInputError } from "../dialects/embeddings/input-errors.js";
import { asLocatedError } from "../dialects/embeddings/locate-input.js";
import { jsonRequest } from "../http/json-request.js";
import { readVectorRows } from "../http/replies/vector-rows.js";
import { readTokenCount } from "../http/replies/vectors.js";
import type { Send } from "../http/send.js";
import type { CreateEmbedding } from "../provider.js";
import { ServerLimits } from "./server-limits.js";

/** The words of a real refusal, for a server whose `/info` cannot be read. */
const batchPhrases = [{ pattern: /maximum allowed batch size (\d+)/i, limits: "inputs" }] as const;

/** Creates embeddings at `POST /embed`. */
export function createTeiEmbedding(send: Send, buffers: BufferPool): CreateEmbedding {
  const limits = new ServerLimits(send);
  const embed = async (batch: EmbeddingBatch, call: Call): Promise<EmbeddingReply> => {
    const reply = await send(jsonRequest("/embed", bodyOf(batch)), call);
    const rows = await readVectorRows(reply, { count: batch.inputs.length, buffers });
    const tokens = readTokenCount(Number(reply.headers["x-compute-tokens"]));
    return { items: rows.itemsOf(rows.reply), promptTokens: tokens };
  };
  return async (batch, call) => {
    const { length } = batch.inputs;
    if (length > 1) checkLength(length, await limits.maxInputs(call));
    try {
      return await embed(batch, call);
    } catch (failure) {
      const located = await asLocatedError(failure, batch.inputs, (inputs) =>
        embed({ ...batch, inputs }, call),
      );
      throw asInputError(located, { inputCount: length, phrases: batchPhrases });
    }
  };
}

/** The server would refuse the batch. The gateway splits it and remembers the limit. */
function checkLength(length: number, maxInputs: number): void {
  if (length > maxInputs)
    throw new BatchTooLargeError(`The upstream takes at most ${maxInputs} inputs.`, { maxInputs });
}

/** Without `truncate` the server's own setting holds, by which texts that are too long are cut without a word. */
function bodyOf({ inputs, dimensions, inputType }: EmbeddingBatch): object {
  return { inputs, truncate: false, normalize: true, dimensions, prompt_name: inputType };
}
