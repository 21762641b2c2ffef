import { base64Bytes, countNumbers, textBytesMax } from "@model-gateway/vector-check";
import { Vector } from "../domain/vector.js";
import { joined, lengthOf } from "../domain/vector-text.js";

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
