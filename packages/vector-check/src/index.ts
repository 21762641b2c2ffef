import { readFileSync } from "node:fs";

/** The exports of assembly/. */
interface Checks {
  readonly memory: WebAssembly.Memory;
  readonly countNumbers: (length: number) => number;
  readonly base64Bytes: (length: number) => number;
}

const checks = open();
const memory = new Uint8Array(checks.memory.buffer);

/** The longest text: the memory of asconfig.json, except for a reserve at its end. No vector comes near it. */
export const textBytesMax = 1024 * 1024;

/**
 * The number of numbers in a JSON array, or undefined if the text is not an array of numbers. "unclear" if a number may
 * exceed float32: the caller must then parse the text.
 *
 * @param chunks The text, of at most `textBytesMax` bytes. A longer one is not accepted.
 */
export function countNumbers(chunks: readonly Uint8Array[]): number | "unclear" | undefined {
  const length = copyIn(chunks);
  const count = length === undefined ? -1 : checks.countNumbers(length);
  return count === -2 ? "unclear" : known(count);
}

/**
 * The number of bytes that a text encodes, if it is base64 as in RFC 4648 §4 and all its float32 values are finite.
 * Undefined if this check cannot tell: the caller must then decode the text.
 *
 * @param chunks The text, of at most `textBytesMax` bytes.
 */
export function base64Bytes(chunks: readonly Uint8Array[]): number | undefined {
  const length = copyIn(chunks);
  return length === undefined ? undefined : known(checks.base64Bytes(length));
}

/** Copies a text into the memory of the module. */
function copyIn(chunks: readonly Uint8Array[]): number | undefined {
  let length = 0;
  for (const chunk of chunks) {
    if (length + chunk.length > textBytesMax) return undefined;
    memory.set(chunk, length);
    length += chunk.length;
  }
  return length;
}

function known(count: number): number | undefined {
  return count === -1 ? undefined : count;
}

function open(): Checks {
  const module = new WebAssembly.Module(readFileSync(new URL("../wasm/vector-check.wasm", import.meta.url)));
  return new WebAssembly.Instance(module).exports as unknown as Checks;
}
