import type { z } from "zod";
import type { EmbeddingBatch, ImageReply, ImageRequest } from "../../../domain/requests.js";
import type { ConnectionSettings } from "../../http/connection/connect.js";
import { bearer } from "../../http/credentials/authentication.js";
import { jsonRequest } from "../../http/json-request.js";
import { describeRemote } from "../../http/remote-settings.js";
import { type IncomingReply, UpstreamClient } from "../../http/send.js";
import type { OpenProvider, ProviderOperations, ProviderTools, UpstreamDescription } from "../../provider.js";
import type { EmbeddingTraits } from "../../traits.js";
import type { BatchPhrase } from "../embeddings/batch-limit.js";
import { createEmbeddingOperation } from "./create-embedding.js";
import { editRequest } from "./edit-request.js";
import { readOpenAiError } from "./errors.js";
import { ImageReplies, readImageEvents } from "./images.js";
import { createListModels, discoveryRules, type discoverySettings } from "./list-models.js";

/** What OpenAI's embeddings API has. A server that speaks its dialect may have less: the keys of a target say so. */
export const openAiTraits: EmbeddingTraits = {
  maxTokensPerRequest: 300_000,
  encodings: ["float", "base64"],
  dimensions: "pass",
  tooLong: "refused",
  unitVectors: "always",
  takesUser: true,
  takesTokenIds: true,
  targetKeys: ["dimensionsField", "encoding"],
};

/** @param settings Those of a server that speaks OpenAI's dialect, and can list its models. */
export function describeOpenAi(
  settings: Parameters<typeof describeRemote>[0] & z.output<z.ZodObject<typeof discoverySettings>>,
): UpstreamDescription {
  const { discover, discoverEveryMs: everyMs } = settings;
  const rules = discoveryRules(discover);
  return { ...describeRemote(settings), ...(rules.length === 0 ? {} : { discovery: { everyMs, rules } }) };
}

interface OpenAiSettings extends ConnectionSettings {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export async function openOpenAi(settings: OpenAiSettings, tools: ProviderTools): Promise<OpenProvider> {
  const client = new UpstreamClient(
    { ...settings, authentication: bearer(settings.apiKey), readError: readOpenAiError },
    tools,
  );
  return {
    operations: createOpenAiOperations(client, tools),
    listModels: createListModels(client),
    unavailable: () => undefined,
    close: () => client.close(),
  };
}

export function createOpenAiOperations(
  client: Pick<UpstreamClient, "send">,
  { buffers }: Pick<ProviderTools, "buffers">,
): Required<ProviderOperations> {
  const imageReplies = new ImageReplies(buffers);
  const readImageReply = async (reply: IncomingReply, count = 1): Promise<ImageReply> => {
    const contentType = String(reply.headers["content-type"] ?? "");
    if (contentType.startsWith("text/event-stream")) return { events: readImageEvents(reply.chunks()) };
    return { images: await imageReplies.read(reply, count) };
  };
  return {
    createEmbedding: createEmbeddingOperation((request, call) => client.send(request, call), buffers, {
      bodyOf: embeddingBody,
      batchPhrases,
    }),
    createImage: async (request, call) =>
      readImageReply(
        await client.send(jsonRequest("/images/generations", imageBody(request, call.model)), call),
        request.n,
      ),
    createImageEdit: async (request, call) =>
      readImageReply(await client.send(editRequest(request, call.model), call), request.n),
  };
}

/** The words of real refusals, of today and of earlier versions of the API. */
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
  // What the gateway sets goes last: an extra never replaces it.
  return { ...extras?.values, ...body, ...width };
}

function imageBody({ extras, ...named }: ImageRequest, model: string): object {
  return { ...extras, ...named, model };
}
