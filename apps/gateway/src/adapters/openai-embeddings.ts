import { Pacer } from "../domain/pacer.js";
import type { EmbeddingAnswer } from "../domain/requests.js";
import { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import { countNumbers } from "./check-numbers.js";
import { EmbeddingsReader, type RawVector } from "./embeddings-reader.js";

/**
 * Reads an embeddings answer while it arrives. Vectors may be numbers or base64, whatever was asked for.
 *
 * @param read Hands over the body as it comes, and resolves after the last of it.
 */
export async function readEmbeddings(
  read: (take: (chunk: Buffer) => void) => Promise<void>,
): Promise<EmbeddingAnswer> {
  const reader = new EmbeddingsReader();
  await read((chunk) => reader.push(chunk));
  const { skeleton, vectorAt } = reader.end();
  const answer = parse(skeleton);
  if (!isObject(answer) || !Array.isArray(answer.data)) throw invalid("it has no `data`");
  const data: readonly unknown[] = answer.data;
  const pacer = new Pacer();
  const items: { index: number; vector: Vector }[] = [];
  for (let position = 0; position < data.length; position += 1) {
    const item = data[position];
    if (!isObject(item)) throw invalid(`data[${position}] is not an object`);
    const index = item.index ?? position;
    if (typeof index !== "number") throw invalid(`data[${position}].index is not a number`);
    items.push({ index, vector: readVector(vectorAt(item.embedding), position) });
    if (pacer.isDue) await pacer.rest();
  }
  return { items, promptTokens: readCount(isObject(answer.usage) ? answer.usage.prompt_tokens : undefined) };
}

function readVector(raw: RawVector | undefined, position: number): Vector {
  if (raw?.encoding === "base64") {
    const vector = vectorOfBase64(raw.content);
    if (vector === undefined) throw invalid(`data[${position}].embedding is not base64`);
    return vector;
  }
  const width = raw === undefined ? undefined : countNumbers(raw.content);
  if (raw === undefined || width === undefined)
    throw invalid(`data[${position}].embedding is neither numbers nor base64`);
  return Vector.fromJson(raw.content, width);
}

/**
 * Base64 as RFC 4648 §4 has it: decoders skip what they do not know, and what is left would be another vector. Escaped
 * slashes, the URL-safe alphabet and missing padding are put right; anything else is undefined. Encoding again what was
 * decoded is the quickest way to see that nothing was skipped.
 */
function vectorOfBase64(content: Buffer): Vector | undefined {
  const text = content.toString("latin1");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length > 0 && bytes.toString("base64") === text) return Vector.fromBase64(content, bytes);
  const plain = text.replaceAll("\\/", "/").replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return undefined;
  return Vector.fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "="));
}

/** What an upstream counted, where it is a number that can be counted. */
function readCount(count: unknown): number {
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : 0;
}

function parse(skeleton: string): unknown {
  try {
    return JSON.parse(skeleton);
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
