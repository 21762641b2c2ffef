import { type MediaKind, type MediaTokens, mediaKinds } from "@model-gateway/domain/media-input";
import type { EmbeddingReply } from "@model-gateway/domain/requests";
import { joined, lengthOf, Vector } from "@model-gateway/domain/vector";
import type { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { base64Bytes, countNumbers, textBytesMax } from "@model-gateway/vector-check";
import { invalidReply } from "./value-separator.js";

/** An upstream's vector, or its fault. */
export function readVector(
  encoding: "json" | "base64",
  chunks: readonly Buffer[],
  buffers?: ReplyBuffers,
): Vector | string {
  // Reading it would block the event loop.
  if (lengthOf(chunks) > textBytesMax) return "is longer than a vector can be";
  if (encoding === "base64") return readBase64(chunks, buffers) ?? "is not base64";
  const counted = countNumbers(chunks);
  const width = counted === "unclear" ? countByParsing(chunks) : counted;
  return width === undefined ? "is neither numbers nor base64" : Vector.fromJson(chunks, width, buffers);
}

/** Counts numbers of which some may be too large for a float32; undefined where one is. */
function countByParsing(chunks: readonly Buffer[]): number | undefined {
  const numbers: number[] = JSON.parse(joined(chunks));
  return numbers.every((number) => Number.isFinite(Math.fround(number))) ? numbers.length : undefined;
}

/**
 * Strict base64 as in RFC 4648 §4: lenient decoders skip unknown letters, and the rest would be another vector. Escaped
 * slashes, the URL-safe alphabet and missing padding are accepted; undefined for anything else.
 */
function readBase64(chunks: readonly Buffer[], buffers: ReplyBuffers | undefined): Vector | undefined {
  const bytes = base64Bytes(chunks);
  if (bytes !== undefined && bytes % 4 === 0) return Vector.fromCheckedBase64(chunks, bytes / 4, buffers);
  const text = joined(chunks)
    .replaceAll("\\/", "/")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(text) || text.length % 4 === 1) return undefined;
  return Vector.fromBase64(text.padEnd(Math.ceil(text.length / 4) * 4, "="));
}

/**
 * The vectors in a reply that was parsed as JSON, in input order. Large replies are read with a `ValueSeparator`, which
 * does not parse their vectors.
 */
export function vectorItems(values: readonly unknown[]): EmbeddingReply["items"] {
  return values.map((value, index) => {
    const vector = vectorOf(value);
    if (typeof vector === "string") throw invalidReply(`the vector ${index} ${vector}`);
    return { index, vector };
  });
}

/** A list of numbers, or base64 of little-endian float32. Otherwise the fault. */
function vectorOf(value: unknown): Vector | string {
  if (typeof value === "string") {
    const isBase64 = value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
    const vector = isBase64 ? Vector.fromBase64(value) : undefined;
    return vector !== undefined && Number.isInteger(vector.width) ? vector : "is not base64 of float32";
  }
  if (!Array.isArray(value) || value.length === 0) return "is neither numbers nor base64";
  const floats = new Float32Array(value.length);
  for (let index = 0; index < value.length; index += 1) {
    const number: unknown = value[index];
    if (typeof number !== "number") return "is neither numbers nor base64";
    floats[index] = number;
  }
  return Vector.fromFloats(floats);
}

/** The tokens of media that a reply reports. Undefined if it reports none. */
export function readMediaTokens(read: (kind: MediaKind) => number | undefined): MediaTokens | undefined {
  const found = mediaKinds.flatMap((kind) => {
    const tokens = read(kind);
    return tokens === undefined ? [] : [[kind, tokens] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** A token count as a positive whole number. Every input has a token, so 0 is not a count. Undefined for anything else. */
export function readTokenCount(count: unknown): number | undefined {
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
