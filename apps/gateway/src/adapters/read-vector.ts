import { base64Bytes, countNumbers } from "@model-gateway/vector-check";
import { Vector } from "../domain/vector.js";

/** The vector that an upstream wrote, or what is wrong with it. */
export function readVector(encoding: "json" | "base64", pieces: readonly Buffer[]): Vector | string {
  if (encoding === "base64") return readBase64(pieces) ?? "is not base64";
  const width = countNumbers(pieces) ?? countByParsing(pieces);
  return width === undefined ? "is neither numbers nor base64" : Vector.fromJson(pieces, width);
}

/** For arrays that look unusual at a glance. Numbers that a float32 can not hold are none. */
function countByParsing(pieces: readonly Buffer[]): number | undefined {
  let values: unknown;
  try {
    values = JSON.parse(textOf(pieces));
  } catch {
    return undefined;
  }
  return Array.isArray(values) && values.every(isFloat32) ? values.length : undefined;
}

function isFloat32(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(Math.fround(value));
}

/**
 * Base64 as RFC 4648 §4 has it: decoders skip what they do not know, and what is left would be another vector. Escaped
 * slashes, the URL-safe alphabet and missing padding are put right; anything else is undefined.
 */
function readBase64(pieces: readonly Buffer[]): Vector | undefined {
  const bytes = base64Bytes(pieces);
  if (bytes !== undefined && bytes % 4 === 0) return Vector.fromCheckedBase64(pieces, bytes / 4);
  const text = textOf(pieces)
    .replaceAll("\\/", "/")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(text) || text.length % 4 === 1) return undefined;
  return Vector.fromBase64(text.padEnd(Math.ceil(text.length / 4) * 4, "="));
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString("latin1");
}
