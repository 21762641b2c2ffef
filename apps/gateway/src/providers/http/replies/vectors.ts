import { Vector } from "../../../domain/vector.js";

/**
 * A vector of a reply that was parsed as JSON: a list of numbers, or base64 of little-endian float32. Otherwise what is
 * wrong with it. Large replies are read with a `ValueSeparator`, which does not parse their vectors.
 */
export function vectorOf(value: unknown): Vector | string {
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
