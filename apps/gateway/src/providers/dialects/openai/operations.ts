import type { EmbeddingBatch, ImageReply, ImageRequest } from "../../../domain/requests.js";
import { jsonRequest } from "../../http/json-request.js";
import type { IncomingReply, Send } from "../../http/send.js";
import type { ProviderOperations, ProviderTools } from "../../provider.js";
import type { BatchPhrase } from "../embeddings/batch-limit.js";
import { createEmbeddingOperation } from "./create-embedding.js";
import { editRequest } from "./edit-request.js";
import { ImageReplies, readImageEvents } from "./images.js";

/** Embeddings, images and edits as OpenAI has them. */
export function createOpenAiOperations(
  send: Send,
  { buffers, checkPrompt }: OpenAiOperationTools,
): Required<Pick<ProviderOperations, "createEmbedding" | "createImage" | "createImageEdit">> {
  const imageReplies = new ImageReplies(buffers);
  const readImageReply = async (reply: IncomingReply, count = 1): Promise<ImageReply> => {
    const contentType = String(reply.headers["content-type"] ?? "");
    if (contentType.startsWith("text/event-stream")) return { events: readImageEvents(reply.chunks()) };
    return { images: await imageReplies.read(reply, count) };
  };
  return {
    createEmbedding: createEmbeddingOperation(send, buffers, { bodyOf: embeddingBody, batchPhrases }),
    createImage: async (request, call) => {
      checkPrompt?.(request.prompt);
      const sent = jsonRequest("/images/generations", imageBody(request, call.model));
      return readImageReply(await send(sent, call), request.n);
    },
    createImageEdit: async (request, call) => {
      checkPrompt?.(request.prompt);
      return readImageReply(await send(editRequest(request, call.model), call), request.n);
    },
  };
}

interface OpenAiOperationTools extends Pick<ProviderTools, "buffers"> {
  /** `OpenAiServer.checkPrompt` (define-provider.ts). */
  readonly checkPrompt?: ((prompt: string) => void) | undefined;
}

/** Real refusal messages, from current and earlier API versions. */
const batchPhrases: readonly BatchPhrase[] = [
  { pattern: /expected an array with maximum length (\d+)/i, limits: "inputs" },
  { pattern: /max number of inputs is (\d+)/i, limits: "inputs" },
  { pattern: /max(?:imum request size is)? (\d+) tokens per request/i, limits: "tokens" },
];

function embeddingBody(batch: EmbeddingBatch, model: string): object {
  const {
    inputs,
    dimensions,
    dimensionsField = "dimensions",
    encoding_format,
    inputType,
    user,
    extras,
  } = batch;
  const body = { model, input: inputs, encoding_format, input_type: inputType, user };
  if (dimensions === undefined && extras === undefined) return body;
  const width = dimensions === undefined ? {} : { [dimensionsField]: dimensions };
  // The gateway's fields go last: an extra never replaces them.
  return { ...extras?.values, ...body, ...width };
}

function imageBody({ extras, ...named }: ImageRequest, model: string): object {
  return { ...extras, ...named, model };
}
