import { hash } from "node:crypto";

/**
 * Number of a vector's values that depend on the input. The others are the same for all, so they are encoded once. The
 * bytes of 24 numbers are exactly 128 characters of base64, so the base64 of the rest can be appended.
 */
const ownNumbers = 24;

/** The number for each byte. The denominator is a power of two, so float32 and JSON hold the number exactly. */
const numberOfByte = Array.from({ length: 256 }, (_, byte) => (2 * byte - 255) / 256);
const textOfByte = numberOfByte.map(String);

/**
 * The vector of an input. It depends on nothing else.
 * @param {unknown} input
 * @param {number} width
 * @returns {number[]}
 */
export function vectorOf(input, width) {
  const digest = digestOf(input);
  return Array.from({ length: width }, (_, index) =>
    index < ownNumbers ? (numberOfByte[digest[index] ?? 0] ?? 0) : commonNumber(index),
  );
}

/**
 * The beginning of a vector in JSON or base64. `commonText` is the rest.
 * @param {unknown} input
 * @param {{ width: number, encoding: "float" | "base64" }} form
 * @returns {string}
 */
export function ownText(input, { width, encoding }) {
  const digest = digestOf(input);
  const count = Math.min(width, ownNumbers);
  if (encoding === "base64") {
    const bytes = Buffer.allocUnsafe(count * 4);
    for (let index = 0; index < count; index += 1)
      bytes.writeFloatLE(numberOfByte[digest[index] ?? 0] ?? 0, index * 4);
    return bytes.toString("base64");
  }
  let text = textOfByte[digest[0] ?? 0] ?? "";
  for (let index = 1; index < count; index += 1) text += `,${textOfByte[digest[index] ?? 0]}`;
  return text;
}

/**
 * The common end of all vectors with this width.
 * @param {{ width: number, encoding: "float" | "base64" }} form
 * @returns {Buffer}
 */
export function commonText({ width, encoding }) {
  const length = Math.max(0, width - ownNumbers);
  const numbers = Array.from({ length }, (_, index) => commonNumber(index + ownNumbers));
  if (encoding === "float") return Buffer.from(numbers.map((number) => `,${number}`).join(""));
  return Buffer.from(toBase64(numbers));
}

/**
 * @param {readonly number[]} numbers
 * @returns {string}
 */
export function toBase64(numbers) {
  return Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
}

/**
 * Scattered over about ±0.06, with as many digits as the numbers of real models.
 * @param {number} index
 */
function commonNumber(index) {
  const scattered = Math.imul(index, 0x9e3779b1) >>> 14;
  return (scattered - 2 ** 17 + 0.5) / 2 ** 21;
}

/** @param {unknown} input */
function digestOf(input) {
  return hash("sha256", JSON.stringify(input), "buffer");
}
