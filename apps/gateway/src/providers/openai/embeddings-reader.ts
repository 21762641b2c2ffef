import { randomBytes } from "node:crypto";

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;
const key = Buffer.from('"embedding"');

/** Stands for a vector in the skeleton. No upstream can write it by chance or on purpose: it is new in every process. */
const mark = randomBytes(12).toString("base64url");

/** A document whose vectors have been taken out. */
export interface SeparatedAnswer<T> {
  readonly skeleton: string;
  /** What was made of the vector that was taken from where a value stands in the skeleton, or undefined where none was. */
  readonly vectorAt: (value: unknown) => T | undefined;
}

/** Makes something of the text of a vector: what is between the quotes of base64, or numbers with their brackets. */
export type ReadVector<T> = (encoding: "json" | "base64", pieces: readonly Buffer[]) => T;

/**
 * Takes the vectors out of an embeddings answer while it arrives. Parsing tens of megabytes of numbers in one go would
 * hold up every other request for a second; here each chunk costs what it takes to find its quotes and brackets, and
 * what is left over is small enough for JSON.parse. Nothing is copied here: a vector is a piece of the chunk it is in, or
 * of several, and keeps them alive until it has been sent on. It is read at once, while the processor still has it at hand.
 */
export class EmbeddingsReader<T> {
  readonly #read: ReadVector<T>;
  /** With a letter for each byte. */
  #skeleton = "";
  readonly #vectors: T[] = [];
  #state: "outside" | "string" | "after-key" | "value" | "array" | "base64" = "outside";
  /** What earlier chunks held of the string, array or base64 that is not over yet. */
  #head: Buffer[] = [];
  /** Where in this chunk that string, array or base64 begins or goes on. */
  #from = 0;
  /** Where in this chunk the part of the skeleton begins that has not been kept yet. */
  #kept = 0;

  constructor(read: ReadVector<T>) {
    this.#read = read;
  }

  push(chunk: Buffer): void {
    this.#from = 0;
    this.#kept = 0;
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    const isCapturing = this.#state === "array" || this.#state === "base64";
    if (isCapturing || this.#state === "string") this.#head.push(chunk.subarray(this.#from));
    if (!isCapturing) this.#keep(chunk, chunk.length);
  }

  end(): SeparatedAnswer<T> {
    // A vector that was never closed leaves the skeleton without its end; JSON.parse will say so.
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
    if (this.#head.length > 0) this.#head = [];
    return end + 1;
  }

  #isKey(chunk: Buffer, to: number): boolean {
    if (this.#head.length > 0)
      return Buffer.concat([...this.#head, chunk.subarray(this.#from, to)]).equals(key);
    return to - this.#from === key.length && chunk.compare(key, 0, key.length, this.#from, to) === 0;
  }

  /** Whether a quote belongs to the text of the string: an odd number of backslashes stands before it. */
  #isEscaped(chunk: Buffer, end: number): boolean {
    const here = backslashesBefore(chunk, end, this.#from);
    let backslashes = here;
    // They may go on in the chunks before.
    let isWhole = here === end - this.#from;
    for (let index = this.#head.length - 1; isWhole && index >= 0; index -= 1) {
      const earlier = this.#head[index] as Buffer;
      const there = backslashesBefore(earlier, earlier.length, 0);
      backslashes += there;
      isWhole = there === earlier.length;
    }
    return backslashes % 2 === 1;
  }

  /** Between the key and its value there may be space, and a colon. Without the colon it was no key. */
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
    const pieces = this.#head.length === 0 ? [last] : [...this.#head, last];
    if (this.#head.length > 0) this.#head = [];
    this.#skeleton += `"${mark}${this.#vectors.length}"`;
    this.#vectors.push(this.#read(encoding, pieces));
    this.#state = "outside";
    this.#kept = end + 1;
    return end + 1;
  }

  #keep(chunk: Buffer, to: number): void {
    if (to > this.#kept) this.#skeleton += chunk.toString("latin1", this.#kept, to);
    this.#kept = to;
  }
}

/** How many stand in a row before a place, as far back as another. */
function backslashesBefore(chunk: Buffer, end: number, start: number): number {
  let at = end;
  while (at > start && chunk[at - 1] === backslash) at -= 1;
  return end - at;
}

/** They are close together: to ask for each would take longer than to look. Where there is none, the end. */
function nextQuote(chunk: Buffer, start: number): number {
  let at = start;
  while (at < chunk.length && chunk[at] !== quote) at += 1;
  return at;
}

function isMark(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(mark);
}
