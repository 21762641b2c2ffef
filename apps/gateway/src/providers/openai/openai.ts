import type { RemoteUpstream } from "../../domain/model.js";
import {
  BatchTooLargeError,
  type EmbeddingBatch,
  type EmbeddingReply,
  type ImageEditRequest,
  type ImageReply,
} from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import { readBatchLimit } from "../http/batch-limit.js";
import { encodeForm, type FormPart } from "../http/multipart.js";
import { createUpstreamClient, type IncomingReply, type OutgoingRequest, type Send } from "../http/send.js";
import type { Call, OpenProvider, ProviderOperations } from "../provider.js";
import { readEmbeddings } from "./embeddings.js";
import { readImageEvents, readImages } from "./images.js";

/** Opens an upstream that speaks OpenAI's own dialect. https://platform.openai.com/docs/api-reference */
export async function openOpenAi(upstream: RemoteUpstream): Promise<OpenProvider> {
  const client = createUpstreamClient(upstream);
  return {
    operations: createOpenAiOperations(client.send),
    unavailable: () => undefined,
    close: client.close,
  };
}

export function createOpenAiOperations(send: Send): ProviderOperations {
  return {
    async createEmbedding(part, call): Promise<EmbeddingReply> {
      let reply: IncomingReply;
      try {
        reply = await send(embeddingRequest(part, call.model), call);
      } catch (failure) {
        throw aboutInputs(failure);
      }
      return readEmbeddings(reply.read);
    },
    async createImage(request, call): Promise<ImageReply> {
      const reply = await send(jsonRequest("/images/generations", { ...request, model: call.model }), call);
      return imageAnswer(reply);
    },
    async createImageEdit(request, call): Promise<ImageReply> {
      const form = encodeForm(editParts(request, call));
      return imageAnswer(await send({ path: "/images/edits", headers: form.headers, body: form.body }, call));
    },
  };
}

/** Which of the inputs an upstream's refusal names. */
function inputIndexOf(param: string | null): number | undefined {
  const index = /^input[.[](\d+)\]?$/.exec(param ?? "")?.[1];
  return index === undefined ? undefined : Number(index);
}

/** A batch that is refused for its size can be sent again in parts; a refused input is known by its place. */
function aboutInputs(failure: unknown): unknown {
  if (!(failure instanceof GatewayError) || failure.status !== 400) return failure;
  const { code, message, cause } = failure;
  const limit = readBatchLimit(failure.upstreamStatus ?? 400, message);
  if (limit !== undefined) return new BatchTooLargeError(message, limit, { cause });
  const inputIndex = inputIndexOf(failure.param);
  return inputIndex === undefined
    ? failure
    : new GatewayError(code, message, { param: "input", inputIndex, cause });
}

function embeddingRequest(part: EmbeddingBatch, model: string): OutgoingRequest {
  const { inputs, dimensions, dimensionsField = "dimensions", encoding_format, user } = part;
  const body = { model, input: inputs, encoding_format, user };
  // What is undefined is not written.
  return jsonRequest(
    "/embeddings",
    dimensions === undefined ? body : { ...body, [dimensionsField]: dimensions },
  );
}

const jsonHeaders = { "content-type": "application/json" };

function jsonRequest(path: string, body: object): OutgoingRequest {
  return { path, headers: jsonHeaders, body: JSON.stringify(body) };
}

/** OpenAI refuses a repeated `image`, so several images go under `image[]`. */
function editParts(request: ImageEditRequest, call: Call): FormPart[] {
  const { images, mask, ...scalars } = request;
  const name = images.length === 1 ? "image" : "image[]";
  return [
    { name: "model", text: call.model },
    ...Object.entries(scalars)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ name: key, text: String(value) })),
    ...images.map((image) => ({ name, image })),
    ...(mask === undefined ? [] : [{ name: "mask", image: mask }]),
  ];
}

async function imageAnswer(reply: IncomingReply): Promise<ImageReply> {
  const contentType = String(reply.headers["content-type"] ?? "");
  if (contentType.startsWith("text/event-stream")) return { events: readImageEvents(reply.chunks()) };
  return { images: readImages(await reply.json()) };
}
