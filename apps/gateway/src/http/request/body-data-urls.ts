import { randomUUID } from "node:crypto";
import { decodeBase64, decodedBytes } from "@model-gateway/vector-check";
import type { DataUrls } from "../../domain/image-input.js";
import type { TimeSlice } from "../../runtime/time-slice.js";

/** A piece of a body, and what stands for it where the body is parsed. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: Buffer;
}

/** A part of a body, from its first byte to after its last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Only media types: a head with any other character is left to the parser. */
const headPattern = /^data:[\w.+/;=-]{0,200};base64,/i;
const headBytesMax = 220;
/** A multiple of four letters. Checking and decoding one takes some 0.2 ms. */
const pieceBytes = 256 * 1024;

/**
 * The data URLs of a body. Their base64 is decoded where it stands: as strings, images of 64 MB take 85 MB for the body,
 * twice as much for the texts and values of the parser, and 64 MB when they are decoded.
 */
export class BodyDataUrls {
  readonly #text: Buffer;
  readonly #found: (Replacement & { readonly url: string; readonly bytes: number })[] = [];

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** The text that is parsed in the place of the base64. It cannot be in a caller's text. */
  get replacements(): readonly Replacement[] {
    return this.#found;
  }

  /** Takes those strings that are plain base64. The others are left to the parser, which knows what is wrong with them. */
  async find(strings: readonly TextRange[], slice: TimeSlice): Promise<void> {
    for (const { start, end } of strings) {
      const [head] = headPattern.exec(this.#text.toString("latin1", start, start + headBytesMax)) ?? [];
      if (head === undefined) continue;
      const first = start + head.length;
      const bytes = await this.#bytesOf(first, end, slice);
      if (bytes === undefined) continue;
      const mark = randomUUID();
      this.#found.push({ start: first, end, by: Buffer.from(mark), url: head + mark, bytes });
    }
  }

  /** The text has no base64 afterwards, so it must be parsed before. Undefined if there is none. */
  async decode(slice: TimeSlice): Promise<DataUrls | undefined> {
    if (this.#found.length === 0) return undefined;
    const decoded = new Map<string, Buffer>();
    for (const { start, end, url, bytes } of this.#found) {
      const target = this.#text.subarray(start, start + bytes);
      for (const { piece, from } of this.#pieces(start, end)) {
        decodeBase64([piece], target.subarray(from, from + (pieceBytes / 4) * 3));
        if (slice.isOver) await slice.yield();
      }
      decoded.set(url, target);
    }
    return decoded;
  }

  /** The length of the image. Undefined if the text is not base64 as in RFC 4648 §4. */
  async #bytesOf(start: number, end: number, slice: TimeSlice): Promise<number | undefined> {
    let all = 0;
    for (const { piece, from } of this.#pieces(start, end)) {
      const bytes = decodedBytes([piece]);
      // Only the last piece may have padding.
      if (bytes === undefined || from !== all) return undefined;
      all += bytes;
      if (slice.isOver) await slice.yield();
    }
    return all === 0 ? undefined : all;
  }

  /** Pieces of base64, and the position of their bytes in the image. */
  *#pieces(start: number, end: number): Generator<{ readonly piece: Buffer; readonly from: number }> {
    for (let at = start; at < end; at += pieceBytes)
      yield {
        piece: this.#text.subarray(at, Math.min(end, at + pieceBytes)),
        from: ((at - start) / 4) * 3,
      };
  }
}
