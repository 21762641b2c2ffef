import { readFileSync } from "node:fs";

/** What assembly/ exports. */
interface Checks {
  readonly memory: WebAssembly.Memory;
  readonly countNumbers: (length: number) => number;
  readonly base64Bytes: (length: number) => number;
}

const checks = open();
const memory = new Uint8Array(checks.memory.buffer);

/** As assembly/text.ts has it. */
const textMax = 1024 * 1024;

/**
 * How many numbers a JSON array has, if it is one and a float32 can hold each of them. Undefined where that can not be
 * told at a glance: somebody must read it then.
 *
 * @param pieces The text, as it arrived.
 */
export function countNumbers(pieces: readonly Uint8Array[]): number | undefined {
  const length = take(pieces);
  return length === undefined ? undefined : known(checks.countNumbers(length));
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
    if (length + piece.length > textMax) return undefined;
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
