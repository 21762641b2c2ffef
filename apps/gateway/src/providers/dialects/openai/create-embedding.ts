import type { EmbeddingBatch, Input } from "../../../domain/requests.js";
import type { BufferPool } from "../../../runtime/buffer-pool.js";
import { jsonRequest } from "../../http/json-request.js";
import type { IncomingReply, Send } from "../../http/send.js";
import type { CreateEmbedding } from "../../provider.js";
import type { BatchPhrase } from "../embeddings/batch-limit.js";
import { asInputError } from "../embeddings/input-errors.js";
import { EmbeddingsReplies } from "./embeddings.js";

/** Differences of an OpenAI-like provider from OpenAI. */
export interface EmbeddingDialect {
  /** The body of a request. JSON.stringify omits undefined fields. */
  readonly bodyOf: (batch: EmbeddingBatch, model: string) => object;
  /** Its wording of a size refusal. */
  readonly batchPhrases?: readonly BatchPhrase[] | undefined;
  /** Names the input at fault, if a refusal does not. Returns any other failure as it is. */
  readonly nameInput?: ((failure: unknown, inputs: readonly Input[], model: string) => unknown) | undefined;
}

/** Creates embeddings at `POST /embeddings`, and reads OpenAI's reply. */
export function createEmbeddingOperation(
  send: Send,
  buffers: BufferPool,
  { bodyOf, batchPhrases, nameInput = (failure) => failure }: EmbeddingDialect,
): CreateEmbedding {
  const replies = new EmbeddingsReplies(buffers);
  return async (batch, call) => {
    let reply: IncomingReply;
    try {
      reply = await send(jsonRequest("/embeddings", bodyOf(batch, call.model)), call);
    } catch (failure) {
      const named = nameInput(failure, batch.inputs, call.model);
      throw asInputError(named, { inputCount: batch.inputs.length, phrases: batchPhrases });
    }
    return replies.read(reply, batch.inputs.length);
  };
}
