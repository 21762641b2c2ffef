import type { ContentBatch, EmbeddingBatch, TextInput } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import type { ModelTarget } from "../../call.js";
import { jsonRequest } from "../../http/json-request.js";
import type { IncomingReply, Send } from "../../http/send.js";
import type { CreateContentEmbedding, CreateEmbedding } from "../../provider.js";
import type { BatchPhrase } from "../embeddings/batch-limit.js";
import { writeContents, writeMessage } from "../embeddings/content-parts.js";
import { asInputError, nameOnlyInput, throwInputError } from "../embeddings/input-errors.js";
import { dataUrls, encodeImageDocument, type PlaceImage } from "../images/image-body.js";
import { EmbeddingsReplies } from "./embeddings.js";

/** Differences of an OpenAI-like provider from OpenAI. */
export interface EmbeddingDialect {
  /** The path of a model. Absent: `/embeddings`. */
  readonly pathOf?: ((target: ModelTarget) => string) | undefined;
  /** The body of a request. JSON.stringify omits undefined fields. */
  readonly bodyOf: (batch: EmbeddingBatch, target: ModelTarget) => object;
  /** Its wording of a size refusal. */
  readonly batchPhrases?: readonly BatchPhrase[] | undefined;
  /** Names the input at fault, if a refusal does not. Returns any other failure as it is. */
  readonly nameInput?:
    | ((failure: unknown, inputs: readonly TextInput[], target: ModelTarget) => unknown)
    | undefined;
}

/** Creates embeddings, and reads OpenAI's reply. */
export function createEmbeddingOperation(
  send: Send,
  buffers: BufferPool,
  { pathOf = () => "/embeddings", bodyOf, batchPhrases, nameInput = (failure) => failure }: EmbeddingDialect,
): CreateEmbedding {
  const replies = new EmbeddingsReplies(buffers);
  return async (batch, call) => {
    let reply: IncomingReply;
    try {
      reply = await send(jsonRequest(pathOf(call.target), bodyOf(batch, call.target)), call);
    } catch (failure) {
      const named = nameInput(failure, batch.inputs, call.target);
      throw asInputError(named, { inputCount: batch.inputs.length, phrases: batchPhrases });
    }
    return replies.read(reply, batch.inputs.length);
  };
}

/** How a provider takes inputs with images. Its reply is OpenAI's. */
export interface ContentDialect {
  /** Absent: `/embeddings`. */
  readonly path?: string | undefined;
  /** The body of a request. It uses the base64 of each image once. */
  readonly bodyOf: (batch: ContentBatch, target: ModelTarget, base64: PlaceImage) => object;
  readonly batchPhrases?: readonly BatchPhrase[] | undefined;
}

/** The same for inputs with images. */
export function createContentOperation(
  send: Send,
  buffers: BufferPool,
  { path = "/embeddings", bodyOf, batchPhrases }: ContentDialect,
): CreateContentEmbedding {
  const replies = new EmbeddingsReplies(buffers);
  return async (batch, call) => {
    const inputCount = batch.inputs.length;
    const { headers, body } = encodeImageDocument((base64) => bodyOf(batch, call.target, base64));
    const reply = await send({ path, headers, body }, call).catch(
      throwInputError({ inputCount, phrases: batchPhrases, nameInput: nameOnlyInput(inputCount) }),
    );
    return replies.read(reply, inputCount);
  };
}

/** OpenAI has no images in inputs: this is the form of OpenRouter, or of vLLM. */
export function contentBody(bodyOf: EmbeddingDialect["bodyOf"]): ContentDialect["bodyOf"] {
  return (batch, target, base64) => {
    const body = bodyOf({ ...batch, inputs: [] }, target);
    const dataUrl = dataUrls(base64);
    if (batch.form !== "messages") return { ...body, input: writeContents(batch.inputs, dataUrl) };
    // A conversation has one vector, so a call with messages has one input.
    const messages = batch.inputs.map((input) => writeMessage(input, dataUrl));
    return { ...body, input: undefined, messages };
  };
}
