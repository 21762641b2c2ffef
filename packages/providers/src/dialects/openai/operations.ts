import type { EmbeddingBatch, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../../call.js";
import { jsonRequest } from "../../http/json-request.js";
import type { IncomingReply, Send } from "../../http/send.js";
import type { ProviderOperations, ProviderTools } from "../../provider.js";
import type { BatchPhrase } from "../embeddings/batch-limit.js";
import { contentBody, createContentOperation, createEmbeddingOperation } from "./create-embedding.js";
import { type EditForm, editRequest } from "./edit-request.js";
import { ImageReplies, readImageEvents } from "./images.js";

/** Embeddings, images and edits as OpenAI has them. */
export function createOpenAiOperations(
  send: Send,
  { buffers, ...dialect }: Pick<ProviderTools, "buffers"> & ServerDialect,
): OpenAiOperations {
  const { checkPrompt, editForm, takesUser = true, takesContents = false } = dialect;
  const withUser = <R extends ImageRequest>({ user, ...request }: R) =>
    takesUser && user !== undefined ? { ...request, user } : request;
  const imageReplies = new ImageReplies(buffers);
  const readImageReply = async (reply: IncomingReply, count = 1): Promise<ImageReply> => {
    const contentType = String(reply.headers["content-type"] ?? "");
    if (contentType.startsWith("text/event-stream")) return { events: readImageEvents(reply.chunks()) };
    return { images: await imageReplies.read(reply, count) };
  };
  return {
    createEmbedding: createEmbeddingOperation(send, buffers, { bodyOf: embeddingBody, batchPhrases }),
    ...(takesContents && {
      createContentEmbedding: createContentOperation(send, buffers, {
        bodyOf: contentBody(embeddingBody),
        batchPhrases,
      }),
    }),
    createImage: async (request, call) => {
      checkPrompt?.(request.prompt);
      const sent = jsonRequest("/images/generations", imageBody(withUser(request), call.model));
      return readImageReply(await send(sent, call), request.n);
    },
    createImageEdit: async (request, call) => {
      checkPrompt?.(request.prompt);
      const sent = editRequest(withUser(request), call.model, editForm);
      return readImageReply(await send(sent, call), request.n);
    },
  };
}

type OpenAiOperations = ProviderOperations &
  Required<Pick<ProviderOperations, "createEmbedding" | "createImage" | "createImageEdit">>;

/** Differences of a server from OpenAI. */
export interface ServerDialect {
  /** Throws if the server would read more than a description from the prompt. */
  readonly checkPrompt?: ((prompt: string) => void) | undefined;
  readonly editForm?: EditForm | undefined;
  /** Whether it takes `user`. Absent: yes. */
  readonly takesUser?: boolean | undefined;
  /** Whether it takes inputs with images. Absent: no. */
  readonly takesContents?: boolean | undefined;
}

/** Real refusal messages, from current and earlier API versions. */
const batchPhrases: readonly BatchPhrase[] = [
  { pattern: /expected an array with maximum length (\d+)/i, limits: "inputs" },
  { pattern: /max number of inputs is (\d+)/i, limits: "inputs" },
  { pattern: /max(?:imum request size is)? (\d+) tokens per request/i, limits: "tokens" },
];

function embeddingBody(batch: EmbeddingBatch, { model }: ModelTarget): object {
  const {
    inputs,
    dimensions,
    dimensionsField = "dimensions",
    encoding_format,
    inputType,
    inputTypeField = "input_type",
    user,
    extras,
  } = batch;
  const body = { model, input: inputs, encoding_format, user };
  if (dimensions === undefined && inputType === undefined && extras === undefined) return body;
  const width = dimensions === undefined ? {} : { [dimensionsField]: dimensions };
  const purpose = inputType === undefined ? {} : { [inputTypeField]: inputType };
  // The gateway's fields go last: an extra never replaces them.
  return { ...extras?.values, ...body, ...width, ...purpose };
}

function imageBody({ extras, ...named }: ImageRequest, model: string): object {
  return { ...extras, ...named, model };
}
