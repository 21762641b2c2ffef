import { randomUUID } from "node:crypto";

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;
const key = Buffer.from('"embedding"');

/** Stands for a vector in the skeleton. No upstream can write it by chance or on purpose: it is new in every process. */
const mark = randomUUID();

/** A document whose vectors have been taken out. */
export interface SeparatedAnswer {
  readonly skeleton: string;
  /** The vector that was taken from where a value stands in the skeleton, or undefined where none was. */
  readonly vectorAt: (value: unknown) => RawVector | undefined;
}

export interface RawVector {
  readonly encoding: "json" | "base64";
  readonly content: Buffer;
}

/**
 * Takes the vectors out of an embeddings answer while it arrives. Parsing tens of megabytes of numbers in one go would
 * hold up every other request for a second; here each chunk costs what it takes to find its quotes and brackets, and
 * what is left over is small enough for JSON.parse.
 */
export class EmbeddingsReader {
  readonly #skeleton: Buffer[] = [];
  readonly #vectors: RawVector[] = [];
  #state: "outside" | "string" | "after-key" | "value" | "array" | "base64" = "outside";
  /** What has been read of the string, array or base64 that is not over yet. */
  #pending: Buffer[] = [];

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
  }

  end(): SeparatedAnswer {
    // What is pending here was never closed; JSON.parse will say so.
    const skeleton = Buffer.concat([...this.#skeleton, ...this.#pending]).toString("utf8");
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
        return this.#capture(chunk, at, { until: closeBracket, encoding: "json" });
      case "base64":
        return this.#capture(chunk, at, { until: quote, encoding: "base64" });
      default:
        return this.#approachValue(chunk, at);
    }
  }

  #skipToString(chunk: Buffer, at: number): number {
    const start = chunk.indexOf(quote, at);
    if (start === -1) return this.#keep(chunk, at, chunk.length);
    this.#keep(chunk, at, start);
    this.#pending = [chunk.subarray(start, start + 1)];
    this.#state = "string";
    return start + 1;
  }

  #finishString(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(quote, at);
    this.#pending.push(chunk.subarray(at, end === -1 ? chunk.length : end + 1));
    if (end === -1) return chunk.length;
    const text = Buffer.concat(this.#pending);
    if (isEscaped(text)) return end + 1;
    this.#skeleton.push(text);
    this.#pending = [];
    this.#state = text.equals(key) ? "after-key" : "outside";
    return end + 1;
  }

  /** Between the key and its value there may be space, and a colon. Without the colon it was no key. */
  #approachValue(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte === 32 || byte === 10 || byte === 13 || byte === 9) return this.#keep(chunk, at, at + 1);
    if (this.#state === "after-key") {
      this.#state = byte === colon ? "value" : "outside";
      return byte === colon ? this.#keep(chunk, at, at + 1) : at;
    }
    if (byte === openBracket) {
      this.#state = "array";
      return at;
    }
    this.#state = byte === quote ? "base64" : "outside";
    return byte === quote ? at + 1 : at;
  }

  #capture(
    chunk: Buffer,
    at: number,
    { until, encoding }: { until: number; encoding: RawVector["encoding"] },
  ): number {
    const end = chunk.indexOf(until, at);
    if (end === -1) {
      this.#pending.push(chunk.subarray(at));
      return chunk.length;
    }
    this.#pending.push(chunk.subarray(at, encoding === "json" ? end + 1 : end));
    // A copy: a slice would keep the whole chunk alive for as long as the vector.
    const content = Buffer.concat(this.#pending);
    this.#skeleton.push(Buffer.from(`"${mark}${this.#vectors.length}"`));
    this.#vectors.push({ encoding, content });
    this.#pending = [];
    this.#state = "outside";
    return end + 1;
  }

  #keep(chunk: Buffer, from: number, to: number): number {
    if (to > from) this.#skeleton.push(Buffer.from(chunk.subarray(from, to)));
    return to;
  }
}

function isMark(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(mark);
}

/** Whether the last quote of a string belongs to its text: an odd number of backslashes stands before it. */
function isEscaped(text: Buffer): boolean {
  if (text.length < 2) return true;
  let backslashes = 0;
  for (let at = text.length - 2; text[at] === backslash; at -= 1) backslashes += 1;
  return backslashes % 2 === 1;
}
