import { z } from "zod";
import {
  BatchTooLargeError,
  type EmbeddingBatch,
  type ImageEditRequest,
  type ImageReply,
} from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import { readBatchLimit } from "../http/batch-limit.js";
import { encodeForm, type FormPart } from "../http/multipart.js";
import {
  type IncomingReply,
  type OutgoingRequest,
  UpstreamClient,
  type UpstreamClientOptions,
} from "../http/send.js";
import { checkNetworkSettings, networkSettings } from "../http/settings.js";
import {
  type Call,
  defineProvider,
  type OpenProvider,
  type ProviderOperations,
  type ProviderTools,
  type UpstreamDescription,
} from "../provider.js";
import { EmbeddingsReplies } from "./embeddings.js";
import { readImageEvents, readImagesReply } from "./images.js";

const baseUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

const remoteSettings = {
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The gateway's own key for the upstream, sent as a bearer token. Take it from the environment: ${NAME}.",
    ),
  timeoutMs: z
    .int()
    .positive()
    .max(3_600_000)
    .optional()
    .describe(
      "How long one attempt may take, in milliseconds. Default: 60000 for embeddings, 300000 for images.",
    ),
  allowPrivateUrls: z
    .boolean()
    .default(false)
    .describe("Whether links to images in its replies may be http and on a private network."),
  ...networkSettings,
};

/** OpenAI itself. https://platform.openai.com/docs/api-reference */
export const openAiProvider = defineProvider({
  name: "openai",
  settings: z
    .strictObject({
      provider: z.literal("openai"),
      baseUrl: baseUrl
        .default("https://api.openai.com/v1")
        .describe("The address of the service, up to and including /v1."),
      ...remoteSettings,
    })
    .superRefine(checkNetworkSettings),
  // All of OpenAI's embedding models share one vocabulary, and its clients send token ids of it.
  defaults: { tokenizer: "cl100k_base", imageProfile: "gpt-image" },
  describe: describeRemote,
  open: openRemote,
});

/** Any server that speaks OpenAI's dialect. */
export const openAiCompatibleProvider = defineProvider({
  name: "openai-compatible",
  settings: z
    .strictObject({
      provider: z.literal("openai-compatible"),
      baseUrl: baseUrl.describe("The address of the service, up to and including /v1."),
      ...remoteSettings,
    })
    .superRefine(checkNetworkSettings),
  defaults: { imageProfile: "gpt-image" },
  describe: describeRemote,
  open: openRemote,
});

interface RemoteSettings extends UpstreamClientOptions {
  readonly timeoutMs?: number | undefined;
  readonly allowPrivateUrls: boolean;
}

function describeRemote(settings: RemoteSettings): UpstreamDescription {
  const { baseUrl, apiKey, timeoutMs, allowPrivateUrls } = settings;
  return {
    baseUrl,
    hasKey: apiKey !== undefined,
    allowPrivateUrls,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    settings,
  };
}

async function openRemote(settings: RemoteSettings, tools: ProviderTools): Promise<OpenProvider> {
  const client = new UpstreamClient(settings, tools);
  return {
    operations: createOpenAiOperations(client, tools),
    unavailable: () => undefined,
    close: () => client.close(),
  };
}

export function createOpenAiOperations(
  client: Pick<UpstreamClient, "send">,
  { buffers }: Pick<ProviderTools, "buffers">,
): ProviderOperations {
  const replies = new EmbeddingsReplies(buffers);
  return {
    createEmbedding: async (batch, call) => {
      let reply: IncomingReply;
      try {
        reply = await client.send(embeddingRequest(batch, call.model), call);
      } catch (failure) {
        throw asInputError(failure);
      }
      return replies.read(reply, batch.inputs.length);
    },
    createImage: async (request, call) =>
      readImageReply(
        await client.send(jsonRequest("/images/generations", { ...request, model: call.model }), call),
        request.n,
      ),
    createImageEdit: async (request, call) => {
      const { headers, body } = encodeForm(editParts(request, call));
      return readImageReply(await client.send({ path: "/images/edits", headers, body }, call), request.n);
    },
  };
}

/** A batch that was refused for its size can be sent again in smaller ones; a refused input is known by its index. */
function asInputError(failure: unknown): unknown {
  if (!(failure instanceof GatewayError) || failure.status !== 400) return failure;
  const { code, message, cause } = failure;
  const limit = readBatchLimit(failure.upstreamStatus ?? 400, message);
  if (limit !== undefined) return new BatchTooLargeError(message, limit, { cause });
  const inputIndex = inputIndexOf(failure.param);
  return inputIndex === undefined
    ? failure
    : new GatewayError(code, message, { param: "input", inputIndex, cause });
}

/** `input[3]` and `input.3` name the fourth input. */
function inputIndexOf(param: string | null): number | undefined {
  const index = /^input[.[](\d+)\]?$/.exec(param ?? "")?.[1];
  return index === undefined ? undefined : Number(index);
}

function embeddingRequest(batch: EmbeddingBatch, model: string): OutgoingRequest {
  const { inputs, dimensions, dimensionsField = "dimensions", encoding_format, user } = batch;
  // JSON.stringify leaves out what is undefined.
  const body = { model, input: inputs, encoding_format, user };
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
  const { images, mask, ...options } = request;
  const name = images.length === 1 ? "image" : "image[]";
  return [
    { name: "model", text: call.model },
    ...Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ name: key, text: String(value) })),
    ...images.map((image) => ({ name, image })),
    ...(mask === undefined ? [] : [{ name: "mask", image: mask }]),
  ];
}

async function readImageReply(reply: IncomingReply, count = 1): Promise<ImageReply> {
  const contentType = String(reply.headers["content-type"] ?? "");
  if (contentType.startsWith("text/event-stream")) return { events: readImageEvents(reply.chunks()) };
  return { images: await readImagesReply(reply, count) };
}
