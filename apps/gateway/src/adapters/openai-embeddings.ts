import { AnswerMemory } from "../domain/answer-memory.js";
import type { EmbeddingAnswer } from "../domain/requests.js";
import type { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import { EmbeddingsReader } from "./embeddings-reader.js";
import { readVector } from "./read-vector.js";

/**
 * Reads an embeddings answer while it arrives. Vectors may be numbers or base64, whatever was asked for.
 *
 * @param read Hands over the body as it comes, and resolves after the last of it.
 */
export async function readEmbeddings(
  read: (take: (chunk: Buffer) => void) => Promise<void>,
): Promise<EmbeddingAnswer> {
  const reader = new EmbeddingsReader(readVector);
  const memory = new AnswerMemory();
  await read((chunk) => reader.push(memory.keep(chunk)));
  const { skeleton, vectorAt } = reader.end();
  const answer = parse(skeleton);
  if (!isObject(answer) || !Array.isArray(answer.data)) throw invalid("it has no `data`");
  const data: readonly unknown[] = answer.data;
  const items: { index: number; vector: Vector }[] = [];
  for (let position = 0; position < data.length; position += 1) {
    const item = data[position];
    if (!isObject(item)) throw invalid(`data[${position}] is not an object`);
    const index = item.index ?? position;
    if (typeof index !== "number") throw invalid(`data[${position}].index is not a number`);
    const vector = vectorAt(item.embedding) ?? "is neither numbers nor base64";
    if (typeof vector === "string") throw invalid(`data[${position}].embedding ${vector}`);
    items.push({ index, vector });
  }
  return {
    items,
    promptTokens: readCount(isObject(answer.usage) ? answer.usage.prompt_tokens : undefined),
    memory: memory.isLarge ? memory : undefined,
  };
}

/** What an upstream counted, where it is a number that can be counted. */
function readCount(count: unknown): number {
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : 0;
}

/**
 * Without its vector, the answer to one input is the same for all texts of so many tokens, unless the upstream numbers
 * its answers. Nobody changes what is kept here.
 */
const parsed = new Map<string, unknown>();
const parsedMax = 256;
const parsedLengthMax = 512;

function parse(skeleton: string): unknown {
  const known = parsed.get(skeleton);
  if (known !== undefined) return known;
  try {
    const answer: unknown = JSON.parse(skeleton);
    if (skeleton.length > parsedLengthMax) return answer;
    if (parsed.size >= parsedMax) parsed.clear();
    parsed.set(skeleton, answer);
    return answer;
  } catch {
    // What the parser says quotes the answer, and that is not for the log.
    throw new GatewayError("upstream_invalid_answer", "The upstream's answer is not valid JSON.");
  }
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's answer is not valid: ${reason}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
