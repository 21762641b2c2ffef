import { Pacer } from "../domain/pacer.js";
import type { EmbeddingAnswer } from "../domain/requests.js";
import { decodeBriefly, Vector } from "../domain/vector.js";
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
 * slashes, the URL-safe alphabet and missing padding are put right; anything else is undefined. Each letter that was
 * skipped makes what is decoded shorter, so that its length says whether all is well.
 */
function vectorOfBase64(content: Buffer): Vector | undefined {
  const text = content.toString("latin1");
  const bytes = decodeBriefly(text);
  if (bytes.length > 0 && bytes.length === decodedLength(text) && !isUrlSafe(content))
    return Vector.fromBase64(content, bytes);
  const plain = text.replaceAll("\\/", "/").replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return undefined;
  return Vector.fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "="));
}

/** How many bytes a text stands for if all of it is base64, with its padding. */
function decodedLength(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** Whether it has the two letters of the other alphabet, which decoders take for those of this one. */
function isUrlSafe(content: Buffer): boolean {
  return content.includes(45) || content.includes(95);
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
