import { randomBytes } from "node:crypto";
import { textBytesMax } from "@model-gateway/vector-check";
import { GatewayError } from "../../errors.js";

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;
const key = Buffer.from('"embedding"');

/** Stands for a vector in the skeleton. It is random for each process, so that no upstream can forge it. */
const mark = randomBytes(12).toString("base64url");

/** A reply without its vectors. */
export interface SeparatedReply<T> {
  /** The JSON document with a mark in the position of each vector. */
  readonly skeleton: string;
  /** The vector that a value of the skeleton is the mark of; undefined for any other value. */
  readonly vectorAt: (value: unknown) => T | undefined;
}

/** For everything but the vectors: a line or two for the reply, and one for each vector. */
const skeletonBytes = 64 * 1024;
const skeletonBytesPerVector = 1024;

/** Reads the text of a vector: base64 without its quotes, or JSON numbers with their brackets. */
export type ReadVector<T> = (encoding: "json" | "base64", chunks: readonly Buffer[]) => T;

/**
 * Separates the vectors of an embeddings reply from the rest while it arrives. JSON.parse of tens of megabytes would
 * block every other request for a second. Here a chunk is only searched for quotes and brackets, and the skeleton is
 * small enough for JSON.parse.
 *
 * Nothing is copied: a vector is a view of its chunks, and keeps them alive until it was sent. It is read as soon as it
 * is complete, while it is still in the CPU's cache.
 *
 * What is kept is bounded by what was asked for: a reply with more vectors, with a longer one or with too much around them
 * is refused as it arrives.
 */
export class EmbeddingsReader<T> {
  readonly #read: ReadVector<T>;
  readonly #vectorsMax: number;
  readonly #skeletonBytesMax: number;
  /** In latin1: one letter for each byte. */
  #skeleton = "";
  readonly #vectors: T[] = [];
  #state: "outside" | "string" | "after-key" | "value" | "array" | "base64" = "outside";
  /** The part of the current string, array or base64 that earlier chunks hold. */
  #head: Buffer[] = [];
  #headBytes = 0;
  /** Where the current string, array or base64 starts or continues in this chunk. */
  #from = 0;
  /** Up to where this chunk was added to the skeleton, or skipped. */
  #kept = 0;

  constructor(read: ReadVector<T>, vectorsMax: number) {
    this.#read = read;
    this.#vectorsMax = vectorsMax;
    this.#skeletonBytesMax = skeletonBytes + vectorsMax * skeletonBytesPerVector;
  }

  push(chunk: Buffer): void {
    this.#from = 0;
    this.#kept = 0;
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    const isCapturing = this.#state === "array" || this.#state === "base64";
    if (isCapturing || this.#state === "string") this.#hold(chunk.subarray(this.#from));
    if (!isCapturing) this.#keep(chunk, chunk.length);
  }

  end(): SeparatedReply<T> {
    // After a vector without an end the skeleton is incomplete, and JSON.parse fails.
    const skeleton = Buffer.from(this.#skeleton, "latin1").toString("utf8");
    return {
      skeleton,
      vectorAt: (value) => (isMark(value) ? this.#vectors[Number(value.slice(mark.length))] : undefined),
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
      case "base64":
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
    if (this.#head.length > 0)
      return Buffer.concat([...this.#head, chunk.subarray(this.#from, to)]).equals(key);
    return to - this.#from === key.length && chunk.compare(key, 0, key.length, this.#from, to) === 0;
  }

  /** Whether a quote is part of the string: an odd number of backslashes precedes it. */
  #isEscaped(chunk: Buffer, end: number): boolean {
    const here = backslashesBefore(chunk, end, this.#from);
    let backslashes = here;
    // They may continue in the chunks before.
    let isWhole = here === end - this.#from;
    for (let index = this.#head.length - 1; isWhole && index >= 0; index -= 1) {
      const earlier = this.#head[index] as Buffer;
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
    if (byte !== openBracket && byte !== quote) {
      this.#state = "outside";
      return at;
    }
    this.#keep(chunk, at);
    this.#state = byte === quote ? "base64" : "array";
    this.#from = byte === quote ? at + 1 : at;
    return at + 1;
  }

  #capture(chunk: Buffer, at: number, until: number): number {
    const end = chunk.indexOf(until, at);
    if (end === -1) return chunk.length;
    const encoding = until === quote ? "base64" : "json";
    const to = encoding === "json" ? end + 1 : end;
    const last = chunk.subarray(this.#from, to);
    const chunks = this.#head.length === 0 ? [last] : [...this.#head, last];
    this.#releaseHead();
    if (this.#vectors.length >= this.#vectorsMax)
      throw invalidReply(`it has more vectors than the ${this.#vectorsMax} that were asked for`);
    this.#skeleton += `"${mark}${this.#vectors.length}"`;
    this.#vectors.push(this.#read(encoding, chunks));
    this.#state = "outside";
    this.#kept = end + 1;
    return end + 1;
  }

  #keep(chunk: Buffer, to: number): void {
    if (to > this.#kept) this.#skeleton += chunk.toString("latin1", this.#kept, to);
    this.#kept = to;
    if (this.#skeleton.length > this.#skeletonBytesMax)
      throw invalidReply("it has too much beside its vectors");
  }

  #hold(chunk: Buffer): void {
    this.#head.push(chunk);
    this.#headBytes += chunk.length;
    if (this.#headBytes > textBytesMax)
      throw invalidReply("it has a value that is longer than a vector can be");
  }

  #releaseHead(): void {
    if (this.#head.length === 0) return;
    this.#head = [];
    this.#headBytes = 0;
  }
}

export function invalidReply(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's reply is not valid: ${reason}.`);
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
