import { hash } from "node:crypto";
import { expect } from "vitest";

/**
 * A text's vector, with unit length at the native width, as a Matryoshka model has it: a shorter one is its beginning,
 * of unit length again. Other input types give other vectors.
 */
export function unitVector(text: string, { width, native }: { width: number; native: number }): number[] {
  const digest = hash("sha256", text, "buffer");
  const numbers = new Array<number>(Math.min(width, native));
  // Loops: some tests make a hundred thousand vectors.
  let squares = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    const value = ((digest[index % 32] ?? 0) - 127.5) / (index + 1);
    numbers[index] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  for (let index = 0; index < numbers.length; index += 1)
    numbers[index] = Math.fround((numbers[index] ?? 0) / length);
  return numbers;
}

/** A provider's integers. Real ones have a scale for each dimension. */
export function quantized(numbers: readonly number[], dtype: "int8" | "uint8"): number[] {
  return numbers.map((value) => Math.round(value * 127) + (dtype === "uint8" ? 128 : 0));
}

/** The bit of a value that is 0 or more is 1; the first of eight is the most significant. */
export function signsOf(numbers: readonly number[]): number[] {
  return Array.from({ length: numbers.length / 8 }, (_, byte) =>
    numbers
      .slice(byte * 8, byte * 8 + 8)
      .reduce((bits, value, bit) => bits + (value >= 0 ? 2 ** (7 - bit) : 0), 0),
  );
}

export function base64Of(numbers: readonly number[]): string {
  return Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
}

/** A token a word. */
export function countWords(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
}

/** Vectors that the gateway has normalised differ in the last digits. */
export function roughly(numbers: readonly number[]): unknown {
  return numbers.map((number) => expect.closeTo(number, 5));
}
