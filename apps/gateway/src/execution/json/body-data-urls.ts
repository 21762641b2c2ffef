import { randomUUID } from "node:crypto";
import type { DataUrls } from "@model-gateway/domain/image-input";
import { checkBase64 } from "@model-gateway/runtime/base64-text";
import type { TimeSlice } from "@model-gateway/runtime/time-slice";

/** A piece of a body, and what stands for it where the body is parsed. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: Buffer;
}

/** A part of a body, from its first byte to after its last. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Only media types: a head with any other character is left to the parser. */
const headPattern = /^data:[\w.+/;=-]{0,200};base64,/i;
const headBytesMax = 220;

/**
 * The data URLs of a body. Their base64 stays in its memory: as strings, images of 64 MB take 85 MB for the body, twice as
 * much for the texts and values of the parser, and 64 MB when they are decoded.
 */
export class BodyDataUrls {
  readonly #text: Buffer;
  readonly #found: (Replacement & { readonly url: string })[] = [];

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** The text that is parsed in the place of the base64. It cannot be in a caller's text. */
  get replacements(): readonly Replacement[] {
    return this.#found;
  }

  /** Takes those strings that are plain base64. The others are left to the parser, which knows what is wrong with them. */
  async find(strings: readonly ByteSpan[], slice: TimeSlice): Promise<void> {
    for (const { start, end } of strings) {
      const [head] = headPattern.exec(this.#text.toString("latin1", start, start + headBytesMax)) ?? [];
      if (head === undefined) continue;
      const first = start + head.length;
      if ((await checkBase64(this.#text.subarray(first, end), slice)) === undefined) continue;
      const mark = randomUUID();
      this.#found.push({ start: first, end, by: Buffer.from(mark), url: head + mark });
    }
  }

  /** Those that were found. Undefined if there is none. */
  get base64(): DataUrls | undefined {
    if (this.#found.length === 0) return undefined;
    return new Map(this.#found.map(({ url, start, end }) => [url, this.#text.subarray(start, end)]));
  }
}
