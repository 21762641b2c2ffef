import { createNoise } from "./noise.js";

/** How many numbers a vector has, as in text-embedding-3-small. */
export const width = 1536;
const count = 64;

export interface BenchVector {
  readonly values: Float32Array;
  /** As upstreams write it: each float32 in the digits of its double, some 20 letters a number. */
  readonly json: string;
  readonly base64: string;
}

/** The vectors of the benchmark. Which one belongs to an input is said by the number in the input. */
export function makeVectors(): readonly BenchVector[] {
  const noise = createNoise();
  return Array.from({ length: count }, () => {
    const values = Float32Array.from({ length: width }, () => (noise() * 256 + noise() - 32_768) / 655_360);
    return {
      values,
      json: `[${Array.from(values).join(",")}]`,
      base64: Buffer.from(values.buffer).toString("base64"),
    };
  });
}

/** Which of the vectors answers an input with this number. */
export function vectorIndex(number: number): number {
  return number % count;
}

/** An input of a line or so, with its number where the upstream finds it. */
export function inputText(number: number): string {
  return `#${String(number).padStart(7, "0")} The quick brown fox jumps over the lazy dog, and comes back for its hat.`;
}

/** Reads the number back, from the place of the `#`. */
export function inputNumber(text: Buffer, place: number): number {
  let number = 0;
  for (let at = place + 1; at < place + 8; at += 1) number = number * 10 + (text[at] ?? 0) - 48;
  return number;
}
