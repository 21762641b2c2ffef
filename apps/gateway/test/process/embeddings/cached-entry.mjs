import { hash } from "node:crypto";

const width = 64;

/**
 * The vector of a number, under a key derived from the number.
 * @param {number} number
 */
export function cachedEntry(number) {
  const floats = Float32Array.from({ length: width }, (_, index) => number + index / width);
  return { key: hash("sha256", String(number), "base64url"), floats, tokens: number };
}
