import { type ContentInput, mediaOf, textsOf } from "@model-gateway/domain/content-input";
import { estimateMediaTokens } from "@model-gateway/domain/media-input";
import {
  type EmbeddingBatch,
  type EmbeddingReply,
  type Input,
  isContent,
} from "@model-gateway/domain/requests";
import { listAt } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { throwInputError } from "../dialects/embeddings/input-errors.js";
import { contentParts, textTokensMax, tooLong } from "../dialects/google/embeddings.js";
import { readUsage, readVectorsReply } from "../dialects/google/vectors-reply.js";
import { encodeImageDocument, type PlaceImage } from "../dialects/images/image-body.js";
import { jsonRequest, readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { readTokenCount } from "../http/replies/vectors.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { CreateContentEmbedding, CreateEmbedding } from "../provider.js";

/** The words of a real refusal. */
const batchPhrases = [{ pattern: /at most (\d+) requests can be in one batch/i, limits: "inputs" }] as const;

/** Creates embeddings at `batchEmbedContents`, one request in it for each input. */
export function createGeminiEmbedding(send: Send): CreateEmbedding {
  return async (batch, call) => {
    await checkLengths(batch.inputs, send, call);
    const parts = batch.inputs.map((text) => [{ text }]);
    const path = `${modelPath(call.model)}:batchEmbedContents`;
    return embed(send, jsonRequest(path, bodyOf(parts, batch, call.model)), {
      call,
      inputCount: batch.inputs.length,
    });
  };
}

/** The same for inputs with images. */
export function createGeminiContentEmbedding(send: Send): CreateContentEmbedding {
  return async (batch, call) => {
    await checkLengths(batch.inputs, send, call);
    const { headers, body } = encodeImageDocument((base64) =>
      bodyOf(
        batch.inputs.map((input) => contentParts(input, base64)),
        batch,
        call.model,
      ),
    );
    const path = `${modelPath(call.model)}:batchEmbedContents`;
    return embed(send, { path, headers, body }, { call, inputCount: batch.inputs.length });
  };
}

async function embed(
  send: Send,
  request: OutgoingRequest,
  { call, inputCount }: { readonly call: Call; readonly inputCount: number },
): Promise<EmbeddingReply> {
  const reply = await send(request, call).catch(throwInputError({ inputCount, phrases: batchPhrases }));
  const { document, vectorOf } = await readVectorsReply(reply, inputCount);
  const items = listAt(document, "embeddings").map((one, index) => ({ index, vector: vectorOf(one) }));
  return { items, ...readUsage(document) };
}

export function modelPath(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

/** All parts of one content have one vector. */
function bodyOf(
  inputs: readonly (readonly object[])[],
  { dimensions, inputType }: Pick<EmbeddingBatch, "dimensions" | "inputType">,
  model: string,
): object {
  return {
    requests: inputs.map((parts) => ({
      model: `models/${model}`,
      content: { parts },
      taskType: inputType,
      outputDimensionality: dimensions,
    })),
  };
}

const countsAtOnce = 8;
/** An image has about as many. */
const imageTokens = 258;

/**
 * The API cuts an input that is too long without a word, and has no option against it. So each input that may be too long
 * is counted first: a token of a text has at least one byte.
 */
async function checkLengths(inputs: readonly Input[], send: Send, call: Call): Promise<void> {
  const tokensMax = textTokensMax(call.target.facts);
  const doubtful = inputs.flatMap((input, index) =>
    isToCount(input) && mostTokens(input) > tokensMax ? [{ input, index }] : [],
  );
  for (let start = 0; start < doubtful.length; start += countsAtOnce) {
    const group = doubtful.slice(start, start + countsAtOnce);
    const counts = await Promise.all(group.map(({ input }) => countTokens(input, send, call)));
    const long = counts.findIndex((count) => count > tokensMax);
    if (long !== -1) throw tooLong(tokensMax, group[long]?.index ?? 0);
  }
}

function isToCount(input: Input): input is string | ContentInput {
  return typeof input === "string" || isContent(input);
}

function mostTokens(input: string | ContentInput): number {
  if (typeof input === "string") return Buffer.byteLength(input);
  const bytes = textsOf(input).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ofMedia = mediaOf(input).reduce((sum, media) => sum + estimateMediaTokens(media), 0);
  return bytes + input.imageCount * imageTokens + ofMedia;
}

async function countTokens(input: string | ContentInput, send: Send, call: Call): Promise<number> {
  const { headers, body } = encodeImageDocument((base64) => ({
    contents: [{ parts: partsOf(input, base64) }],
  }));
  const reply = await readJson(
    await send({ path: `${modelPath(call.model)}:countTokens`, headers, body }, call),
  );
  const count = readTokenCount(Object(reply).totalTokens);
  if (count === undefined) throw invalidReply("it has no count of tokens");
  return count;
}

function partsOf(input: string | ContentInput, base64: PlaceImage): object[] {
  return typeof input === "string" ? [{ text: input }] : contentParts(input, base64);
}
