import { base64Bytes, countNumbers, textBytesMax } from "@model-gateway/vector-check";
import type { EmbeddingReply } from "../../domain/requests.js";
import { joined, lengthOf, Vector } from "../../domain/vector.js";
import { GatewayError } from "../../errors.js";
import { ReplyBuffers } from "../../runtime/response-buffers.js";
import { EmbeddingsReader } from "./embeddings-reader.js";

/**
 * Reads an embeddings answer while it arrives. Vectors may be numbers or base64, whatever was asked for.
 *
 * @param read Hands over the body as it comes, and resolves after the last of it.
 */
export async function readEmbeddings(
  read: (take: (chunk: Buffer) => void) => Promise<void>,
): Promise<EmbeddingReply> {
  const reader = new EmbeddingsReader(readVector);
  const memory = new ReplyBuffers();
  await read((chunk) => reader.push(memory.add(chunk)));
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
    buffers: memory.isLarge ? memory : undefined,
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

/** The vector that an upstream wrote, or what is wrong with it. */
export function readVector(encoding: "json" | "base64", pieces: readonly Buffer[]): Vector | string {
  // Whatever it is, to read it would hold up everybody else.
  if (lengthOf(pieces) > textBytesMax) return "is longer than a vector can be";
  if (encoding === "base64") return readBase64(pieces) ?? "is not base64";
  const counted = countNumbers(pieces);
  const width = counted === "unclear" ? countByParsing(pieces) : counted;
  return width === undefined ? "is neither numbers nor base64" : Vector.fromJson(pieces, width);
}

/** For an array of numbers, some of which may be too large for a float32; undefined where one is. */
function countByParsing(pieces: readonly Buffer[]): number | undefined {
  const numbers: number[] = JSON.parse(joined(pieces));
  return numbers.every((number) => Number.isFinite(Math.fround(number))) ? numbers.length : undefined;
}

/**
 * Base64 as RFC 4648 §4 has it: decoders skip what they do not know, and what is left would be another vector. Escaped
 * slashes, the URL-safe alphabet and missing padding are put right; anything else is undefined.
 */
function readBase64(pieces: readonly Buffer[]): Vector | undefined {
  const bytes = base64Bytes(pieces);
  if (bytes !== undefined && bytes % 4 === 0) return Vector.fromCheckedBase64(pieces, bytes / 4);
  const text = joined(pieces)
    .replaceAll("\\/", "/")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(text) || text.length % 4 === 1) return undefined;
  return Vector.fromBase64(text.padEnd(Math.ceil(text.length / 4) * 4, "="));
}
