import { readFileSync } from "node:fs";

/** What assembly/ exports. */
interface Checks {
  readonly memory: WebAssembly.Memory;
  readonly countNumbers: (length: number) => number;
  readonly base64Bytes: (length: number) => number;
}

const checks = open();
const memory = new Uint8Array(checks.memory.buffer);

/** So long may a text be: the memory that asconfig.json asks for, without a little at its end. No vector comes near it. */
export const textBytesMax = 1024 * 1024;

/**
 * How many numbers a JSON array has; undefined where it is no array of numbers. "unclear" where it is one, but has a
 * number that a float32 might not hold: somebody must read it then.
 *
 * @param pieces The text, as it arrived, of at most `textBytesMax`; what is longer is no array.
 */
export function countNumbers(pieces: readonly Uint8Array[]): number | "unclear" | undefined {
  const length = take(pieces);
  const count = length === undefined ? -1 : checks.countNumbers(length);
  return count === -2 ? "unclear" : known(count);
}

/**
 * How many bytes a text stands for, if it is base64 as RFC 4648 §4 has it and all its float32 are finite numbers.
 * Undefined where that can not be told at a glance: somebody must read it then.
 *
 * @param pieces The text, as it arrived.
 */
export function base64Bytes(pieces: readonly Uint8Array[]): number | undefined {
  const length = take(pieces);
  return length === undefined ? undefined : known(checks.base64Bytes(length));
}

/** Puts a text where the checks find it. */
function take(pieces: readonly Uint8Array[]): number | undefined {
  let length = 0;
  for (const piece of pieces) {
    if (length + piece.length > textBytesMax) return undefined;
    memory.set(piece, length);
    length += piece.length;
  }
  return length;
}

function known(count: number): number | undefined {
  return count === -1 ? undefined : count;
}

function open(): Checks {
  const module = new WebAssembly.Module(readFileSync(new URL("../dist/check.wasm", import.meta.url)));
  return new WebAssembly.Instance(module).exports as unknown as Checks;
}
