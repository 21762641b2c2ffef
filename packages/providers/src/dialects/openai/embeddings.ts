import type { EmbeddingReply } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { isObject, objectAt } from "@model-gateway/runtime/json";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { textBytesMax } from "@model-gateway/vector-check";
import { invalidReply, jsonKey, parseReply, ValueSeparator } from "../../http/replies/value-separator.js";
import { readMediaTokens, readTokenCount, readVector } from "../../http/replies/vectors.js";
import type { IncomingReply } from "../../http/send.js";

const vectorKeys = [jsonKey("embedding")];
/** For everything but the vectors: a line or two for the reply, and one for each vector. */
const skeletonBytes = 64 * 1024;
const skeletonBytesPerVector = 1024;

/** Reads the embeddings replies of one upstream while they arrive. */
export class EmbeddingsReplies {
  readonly #pool: BufferPool;

  constructor(pool: BufferPool) {
    this.#pool = pool;
  }

  /**
   * Vectors may be numbers or base64, whatever was requested.
   *
   * @param inputCount How many vectors the reply may have.
   */
  async read({ read }: Pick<IncomingReply, "read">, inputCount: number): Promise<EmbeddingReply> {
    const buffers = new ReplyBuffers(this.#pool);
    const separator = new ValueSeparator({
      keys: vectorKeys,
      arrays: "value",
      read: (kind, chunks) => readVector(kind === "array" ? "json" : "base64", chunks, buffers),
      valuesMax: inputCount,
      valueBytesMax: textBytesMax,
      skeletonBytesMax: skeletonBytes + inputCount * skeletonBytesPerVector,
      name: "vectors",
    });
    await read((chunk) => separator.push(buffers.add(chunk)));
    const { skeleton, valueAt: vectorAt } = separator.end();
    const reply = parseReply(skeleton);
    if (!isObject(reply) || !Array.isArray(reply.data)) throw invalidReply("it has no `data`");
    const data: readonly unknown[] = reply.data;
    const items: { index: number; vector: Vector }[] = [];
    for (let position = 0; position < data.length; position += 1) {
      const item = data[position];
      if (!isObject(item)) throw invalidReply(`data[${position}] is not an object`);
      const index = item.index ?? position;
      if (typeof index !== "number") throw invalidReply(`data[${position}].index is not a number`);
      const vector = vectorAt(item.embedding) ?? "is neither numbers nor base64";
      if (typeof vector === "string") throw invalidReply(`data[${position}].embedding ${vector}`);
      items.push({ index, vector });
    }
    const { usage } = reply;
    return {
      items,
      promptTokens: readUsage(usage),
      imageTokens: readImageTokens(usage),
      mediaTokens: isObject(usage)
        ? readMediaTokens((kind) =>
            readTokenCount(objectAt(usage, "prompt_tokens_details")[`${kind}_tokens`]),
          )
        : undefined,
      reportedUsd: readCost(usage),
    };
  }
}

/** Some upstreams report only the total, which has nothing but the prompt in it. */
function readUsage(usage: unknown): number | undefined {
  return isObject(usage)
    ? (readTokenCount(usage.prompt_tokens) ?? readTokenCount(usage.total_tokens))
    : undefined;
}

/** OpenRouter reports the tokens of each modality, and Voyage those of texts beside all of them. */
function readImageTokens(usage: unknown): number | undefined {
  if (!isObject(usage)) return undefined;
  const reported = readTokenCount(objectAt(usage, "prompt_tokens_details").image_tokens);
  return reported ?? readTokenCount(Number(usage.total_tokens) - Number(usage.text_tokens));
}

/** OpenRouter and others report the cost of a call in US dollars. */
function readCost(usage: unknown): number | undefined {
  const cost = isObject(usage) ? usage.cost : undefined;
  return typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? cost : undefined;
}
