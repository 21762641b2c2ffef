import { readFileSync } from "node:fs";

/** The exports of assembly/. */
interface Checks {
  readonly memory: WebAssembly.Memory;
  readonly countNumbers: (length: number) => number;
  readonly base64Bytes: (length: number) => number;
  readonly hasBase64Letters: (length: number) => number;
  readonly decodeLetters: (length: number) => void;
  readonly writeNumbers: (count: number) => number;
}

const checks = open();
const memory = new Uint8Array(checks.memory.buffer);

/** The longest text: the memory of asconfig.json, except for a reserve at its end. No vector comes near it. */
export const textBytesMax = 1024 * 1024;

/**
 * The count of numbers in a JSON array, or undefined if the text is not an array of numbers. "unclear" if a number may
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
 * Undefined if this check cannot decide: the caller must then decode the text.
 *
 * @param chunks The text, of at most `textBytesMax` bytes.
 */
export function base64Bytes(chunks: readonly Uint8Array[]): number | undefined {
  const length = copyIn(chunks);
  return length === undefined ? undefined : known(checks.base64Bytes(length));
}

/**
 * The number of bytes that a text encodes, if it is base64 as in RFC 4648 §4: no other letter, and padded. Undefined if it
 * is not. The bytes may be of any kind, such as an image.
 *
 * @param chunks The text, of any length.
 */
export function decodedBytes(chunks: readonly Uint8Array[]): number | undefined {
  const steps = decodedBytesInSteps(chunks);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps of a fraction of a millisecond, so that other work runs between them: 64 MB take 100 ms. */
export function* decodedBytesInSteps(
  chunks: readonly Uint8Array[],
): Generator<undefined, number | undefined, undefined> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length === 0 || length % 4 !== 0) return undefined;
  const padding = paddingOf(chunks);
  let left = length - padding;
  for (const chunk of chunks) {
    const letters = chunk.subarray(0, left);
    for (let from = 0; from < letters.length; from += checkedAtOnce) {
      if (!hasOnlyLetters(letters.subarray(from, from + checkedAtOnce))) return undefined;
      yield;
    }
    left -= letters.length;
  }
  return (length / 4) * 3 - padding;
}

/** Letters that are checked in a third of a millisecond. */
const checkedAtOnce = 256 * 1024;
const padded = 0x3d;

function paddingOf(chunks: readonly Uint8Array[]): number {
  let padding = 0;
  for (let index = chunks.length - 1; index >= 0; index -= 1) {
    const chunk = chunks[index] ?? [];
    for (let at = chunk.length - 1; at >= 0; at -= 1) {
      if (chunk[at] !== padded || padding === 2) return padding;
      padding += 1;
    }
  }
  return padding;
}

function hasOnlyLetters(letters: Uint8Array): boolean {
  memory.set(letters);
  return checks.hasBase64Letters(letters.length) !== 0;
}

/**
 * Decodes base64 without a string on the way: Node's own decoder takes one, which is as large as the text.
 *
 * @param chunks Text for which `decodedBytes` returned the length of `target`.
 */
export function decodeBase64(chunks: readonly Uint8Array[], target: Uint8Array): void {
  /** The letters of a group that the next piece completes. */
  let rest = new Uint8Array(0);
  let end = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += decodedAtOnce) {
      const piece = chunk.subarray(from, from + decodedAtOnce);
      memory.set(rest);
      memory.set(piece, rest.length);
      const filled = rest.length + piece.length;
      const groups = Math.floor(filled / 4);
      rest = memory.slice(groups * 4, filled);
      checks.decodeLetters(groups * 4);
      // The last group may have padding, which encodes no bytes.
      const bytes = Math.min(groups * 3, target.length - end);
      target.set(memory.subarray(0, bytes), end);
      end += bytes;
    }
  }
}

/** Letters that stay in the cache of the CPU between the copies to and from the module. */
const decodedAtOnce = 32 * 1024;

/**
 * Float32 values as a JSON array. Each number has the fewest digits that read back as the same float32.
 *
 * @param floats Little-endian, a multiple of four bytes, and all of them finite.
 */
export function writeNumbers(floats: Uint8Array): Buffer {
  if (floats.length === 0) return Buffer.from("[]");
  const pieces: Buffer[] = [];
  for (let from = 0; from < floats.length; from += pieceBytes) {
    const piece = floats.subarray(from, from + pieceBytes);
    memory.set(piece);
    const isLast = from + pieceBytes >= floats.length;
    const before = from === 0 ? openBracket : undefined;
    pieces.push(writePiece(piece.length / 4, { before, after: isLast ? closeBracket : comma }));
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/**
 * Float32 values in base64 as a JSON array, as `writeNumbers` writes them. Undefined if there are more of them than fit
 * into the module at once: 4,096.
 *
 * @param chunks Text for which `base64Bytes` returned a multiple of four.
 */
export function writeBase64Numbers(chunks: readonly Uint8Array[]): Buffer | undefined {
  const length = copyIn(chunks);
  if (length === undefined || length === 0) return undefined;
  const bytes = (length / 4) * 3 - paddingOf(chunks);
  if (bytes > pieceBytes) return undefined;
  checks.decodeLetters(length);
  return writePiece(bytes / 4, { before: openBracket, after: closeBracket });
}

/** The input size of assembly/decimals.ts, and the offset of its output. */
const pieceBytes = 4096 * 4;
const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** A copy of the numbers' text in the module's memory. */
function writePiece(count: number, { before, after }: { before: number | undefined; after: number }): Buffer {
  const end = pieceBytes + checks.writeNumbers(count);
  // It has written a comma there.
  memory[end - 1] = after;
  if (before === undefined) return Buffer.from(memory.subarray(pieceBytes, end));
  // The numbers were read, so the last byte of their memory is free.
  memory[pieceBytes - 1] = before;
  return Buffer.from(memory.subarray(pieceBytes - 1, end));
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
  const opened = new WebAssembly.Instance(module).exports as unknown as Checks;
  writePowersOfTen(new DataView(opened.memory.buffer));
  return opened;
}

/** The powers that assembly/shortest.ts needs, behind the longest text. */
function writePowersOfTen(view: DataView): void {
  const start = 1024 * 1024 + 1024;
  const [smallest, largest] = [-31, 45];
  for (let exponent = smallest; exponent <= largest; exponent += 1)
    view.setBigUint64(start + (exponent - smallest) * 8, highestBits(exponent), true);
}

/** The 64 highest bits of a power of ten, rounded up. */
function highestBits(exponent: number): bigint {
  const power = 10n ** BigInt(Math.abs(exponent));
  const bits = BigInt(power.toString(2).length);
  if (exponent < 0) return ((1n << (bits + 63n)) + power - 1n) / power;
  return ((power << 64n) + (1n << bits) - 1n) >> bits;
}
