import { listAt } from "../../domain/json.js";
import type { EmbeddingBatch, Input } from "../../domain/requests.js";
import type { Call } from "../call.js";
import { throwInputError } from "../dialects/embeddings/input-errors.js";
import { textTokensMax, tooLong } from "../dialects/google/embeddings.js";
import { readPromptTokens, readVectorsReply } from "../dialects/google/vectors-reply.js";
import { jsonRequest, readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { readTokenCount } from "../http/replies/vectors.js";
import type { Send } from "../http/send.js";
import type { CreateEmbedding } from "../provider.js";

/** The words of a real refusal. */
const batchPhrases = [{ pattern: /at most (\d+) requests can be in one batch/i, limits: "inputs" }] as const;

/** Creates embeddings at `batchEmbedContents`, one request in it for each input. */
export function createGeminiEmbedding(send: Send): CreateEmbedding {
  return async (batch, call) => {
    await checkLengths(batch.inputs, send, call);
    const path = `${modelPath(call.model)}:batchEmbedContents`;
    const reply = await send(jsonRequest(path, bodyOf(batch, call.model)), call).catch(
      throwInputError({ inputCount: batch.inputs.length, phrases: batchPhrases }),
    );
    const { document, vectorOf } = await readVectorsReply(reply, batch.inputs.length);
    const items = listAt(document, "embeddings").map((one, index) => ({ index, vector: vectorOf(one) }));
    return { items, promptTokens: readPromptTokens(document) };
  };
}

export function modelPath(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

/** Several parts of one content would give one vector. */
function bodyOf({ inputs, dimensions, inputType }: EmbeddingBatch, model: string): object {
  return {
    requests: inputs.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      taskType: inputType,
      outputDimensionality: dimensions,
    })),
  };
}

const countsAtOnce = 8;

/**
 * The API cuts a text that is too long without a word, and has no option against it. So each text that may be too long is
 * counted first: a token has at least one byte.
 */
async function checkLengths(inputs: readonly Input[], send: Send, call: Call): Promise<void> {
  const tokensMax = textTokensMax(call.model);
  const doubtful = inputs.flatMap((input, index) =>
    typeof input === "string" && Buffer.byteLength(input) > tokensMax ? [{ text: input, index }] : [],
  );
  for (let start = 0; start < doubtful.length; start += countsAtOnce) {
    const group = doubtful.slice(start, start + countsAtOnce);
    const counts = await Promise.all(group.map(({ text }) => countTokens(text, send, call)));
    const long = counts.findIndex((count) => count > tokensMax);
    if (long !== -1) throw tooLong(tokensMax, group[long]?.index ?? 0);
  }
}

async function countTokens(text: string, send: Send, call: Call): Promise<number> {
  const request = jsonRequest(`${modelPath(call.model)}:countTokens`, { contents: [{ parts: [{ text }] }] });
  const reply = await readJson(await send(request, call));
  const count = readTokenCount(Object(reply).totalTokens);
  if (count === undefined) throw invalidReply("it has no count of tokens");
  return count;
}
