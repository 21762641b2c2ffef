import { randomBytes } from "node:crypto";
import { errorOf, type GatewayError } from "../../../errors.js";
import { ChunkList } from "../../../runtime/chunk-list.js";

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;

/** Stands for a value in the skeleton. It is random for each process, so that no upstream can forge it. */
const mark = randomBytes(12).toString("base64url");

/** A reply without its large values. */
export interface SeparatedReply<T> {
  /** The JSON document with a mark in the position of each value. */
  readonly skeleton: string;
  /** The value that a string of the skeleton is the mark of; undefined for any other. */
  readonly valueAt: (value: unknown) => T | undefined;
}

/** A key as it stands in a reply. */
export function jsonKey(name: string): Buffer {
  return Buffer.from(`"${name}"`);
}

/** Reads the text of a value: a string without its quotes, or an array with its brackets. */
export type ReadValue<T> = (kind: "string" | "array", chunks: readonly Buffer[]) => T;

export interface SeparatorOptions<T> {
  /** The keys of the values, as `jsonKey` writes them. */
  readonly keys: readonly Buffer[];
  /** Whether a value may be an array, which has no brackets in it. */
  readonly takesArrays: boolean;
  readonly read: ReadValue<T>;
  /** What a reply may have: as many values, as long as this, and as much around them. */
  readonly valuesMax: number;
  readonly valueBytesMax: number;
  readonly skeletonBytesMax: number;
  /** What a value is called in messages, in the plural. */
  readonly name: string;
}

/**
 * Separates the large values of a JSON reply from the rest while it arrives: vectors or images. JSON.parse of tens of
 * megabytes would block every other request for a second. Here a chunk is only searched for quotes and brackets, and the
 * skeleton is small enough for JSON.parse.
 *
 * Nothing is copied: a value is a view of its chunks, and keeps them alive until it was sent. It is read as soon as it is
 * complete, while it is still in the CPU's cache.
 *
 * What is kept is bounded by what was asked for: a reply with more values, with a longer one or with too much around them
 * is refused as it arrives.
 */
export class ValueSeparator<T> {
  readonly #options: SeparatorOptions<T>;
  /** In latin1: one letter for each byte. */
  #skeleton = "";
  readonly #values: T[] = [];
  #state: "outside" | "string" | "after-key" | "value" | "array" | "text" = "outside";
  /** The part of the current string or value that earlier chunks hold. */
  #head = new ChunkList();
  /** Where the current string or value starts or continues in this chunk. */
  #from = 0;
  /** Up to where this chunk was added to the skeleton, or skipped. */
  #kept = 0;

  constructor(options: SeparatorOptions<T>) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    this.#from = 0;
    this.#kept = 0;
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    const isCapturing = this.#state === "array" || this.#state === "text";
    if (isCapturing || this.#state === "string") this.#hold(chunk.subarray(this.#from));
    if (!isCapturing) this.#keep(chunk, chunk.length);
  }

  end(): SeparatedReply<T> {
    // After a value without an end the skeleton is incomplete, and JSON.parse fails.
    const skeleton = Buffer.from(this.#skeleton, "latin1").toString("utf8");
    return {
      skeleton,
      valueAt: (value) => (isMark(value) ? this.#values[Number(value.slice(mark.length))] : undefined),
    };
  }

  #step(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case "outside":
        return this.#skipToString(chunk, at);
      case "string":
        return this.#finishString(chunk, at);
      case "array":
        return this.#capture(chunk, at, closeBracket);
      case "text":
        return this.#capture(chunk, at, quote);
      default:
        return this.#approachValue(chunk, at);
    }
  }

  #skipToString(chunk: Buffer, at: number): number {
    const start = nextQuote(chunk, at);
    if (start === chunk.length) return start;
    this.#from = start;
    this.#state = "string";
    return start + 1;
  }

  #finishString(chunk: Buffer, at: number): number {
    const end = nextQuote(chunk, at);
    if (end === chunk.length) return end;
    if (this.#isEscaped(chunk, end)) return end + 1;
    this.#state = this.#isKey(chunk, end + 1) ? "after-key" : "outside";
    this.#releaseHead();
    return end + 1;
  }

  #isKey(chunk: Buffer, to: number): boolean {
    const { keys } = this.#options;
    const isWhole = this.#head.bytes === 0;
    const text = isWhole ? chunk : Buffer.concat([...this.#head.chunks, chunk.subarray(this.#from, to)]);
    const [start, end] = isWhole ? [this.#from, to] : [0, text.length];
    for (const key of keys) if (isSame(text, start, end, key)) return true;
    return false;
  }

  /** Whether a quote is part of the string: an odd number of backslashes precedes it. */
  #isEscaped(chunk: Buffer, end: number): boolean {
    const here = backslashesBefore(chunk, end, this.#from);
    let backslashes = here;
    // They may continue in the chunks before.
    let isWhole = here === end - this.#from;
    const { chunks } = this.#head;
    for (let index = chunks.length - 1; isWhole && index >= 0; index -= 1) {
      const earlier = chunks[index] as Buffer;
      const there = backslashesBefore(earlier, earlier.length, 0);
      backslashes += there;
      isWhole = there === earlier.length;
    }
    return backslashes % 2 === 1;
  }

  /** Skips white space and the colon between the key and its value. Without a colon it was not a key. */
  #approachValue(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte === 32 || byte === 10 || byte === 13 || byte === 9) return at + 1;
    if (this.#state === "after-key") {
      this.#state = byte === colon ? "value" : "outside";
      return byte === colon ? at + 1 : at;
    }
    if (byte !== quote && !(byte === openBracket && this.#options.takesArrays)) {
      this.#state = "outside";
      return at;
    }
    this.#keep(chunk, at);
    this.#state = byte === quote ? "text" : "array";
    this.#from = byte === quote ? at + 1 : at;
    return at + 1;
  }

  #capture(chunk: Buffer, at: number, until: number): number {
    const end = chunk.indexOf(until, at);
    if (end === -1) return chunk.length;
    const kind = until === quote ? "string" : "array";
    const last = chunk.subarray(this.#from, kind === "array" ? end + 1 : end);
    const chunks = this.#head.bytes === 0 ? [last] : [...this.#head.chunks, last];
    this.#releaseHead();
    const { read, valuesMax, name } = this.#options;
    if (this.#values.length >= valuesMax) throw invalidReply(`it has more ${name} than were asked for`);
    this.#skeleton += `"${mark}${this.#values.length}"`;
    this.#values.push(read(kind, chunks));
    this.#state = "outside";
    this.#kept = end + 1;
    return end + 1;
  }

  #keep(chunk: Buffer, to: number): void {
    if (to > this.#kept) this.#skeleton += chunk.toString("latin1", this.#kept, to);
    this.#kept = to;
    const { skeletonBytesMax, name } = this.#options;
    if (this.#skeleton.length > skeletonBytesMax) throw invalidReply(`it has too much beside its ${name}`);
  }

  #hold(chunk: Buffer): void {
    this.#head.add(chunk);
    const { valueBytesMax, name } = this.#options;
    if (this.#head.bytes > valueBytesMax)
      throw invalidReply(`it has a value that is too long for its ${name}`);
  }

  #releaseHead(): void {
    if (this.#head.bytes > 0) this.#head = new ChunkList();
  }
}

export function invalidReply(reason: string): GatewayError {
  return errorOf("upstream_invalid_reply", { reason });
}

function isSame(chunk: Buffer, from: number, to: number, key: Buffer): boolean {
  return to - from === key.length && chunk.compare(key, 0, key.length, from, to) === 0;
}

/** The number of backslashes directly before `end`, not looking further back than `start`. */
function backslashesBefore(chunk: Buffer, end: number, start: number): number {
  let at = end;
  while (at > start && chunk[at - 1] === backslash) at -= 1;
  return end - at;
}

/** The position of the next quote, or the length. Quotes are close together, so a loop is faster than `indexOf`. */
function nextQuote(chunk: Buffer, start: number): number {
  let at = start;
  while (at < chunk.length && chunk[at] !== quote) at += 1;
  return at;
}

function isMark(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(mark);
}
