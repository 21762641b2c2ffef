import { pixelsMax } from "./inspect-image.js";

/** More frames or blocks than any real animation has. The gateway does not decode them, but its callers will. */
const framesMax = 1000;
const blocksMax = 1_000_000;

const extension = 0x21;
const imageDescriptor = 0x2c;
const trailer = 0x3b;
/** The signature and the size of the whole image. */
const headBytes = 13;

export interface GifMetadata {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/**
 * Walks over the blocks of a GIF without decoding them. Throws an error that says why if it is not one, or not a whole
 * one. https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function inspectGif(content: Buffer): GifMetadata {
  if (content.length < headBytes || !/^GIF8[79]a$/.test(content.toString("latin1", 0, 6)))
    throw new Error("The data does not begin as a GIF.");
  const [width, height] = [content.readUInt16LE(6), content.readUInt16LE(8)];
  if (width === 0 || height === 0 || width * height > pixelsMax)
    throw new Error(`The GIF has a size of ${width}x${height}.`);
  const walk = new BlockWalk(content, headBytes + colourTableBytes(content[10]));
  for (let frames = 0; frames <= framesMax; ) {
    const introducer = walk.next();
    if (introducer === trailer && frames > 0) return { width, height, frames };
    if (introducer === imageDescriptor) {
      frames += 1;
      // The position and the size, the flags, the colour table, and the code size of the pixels.
      walk.skip(9 + colourTableBytes(content[walk.at + 8]) + 1);
    } else if (introducer === extension) {
      walk.skip(1);
    } else {
      throw new Error("The GIF is truncated, damaged or empty.");
    }
    walk.skipSubBlocks();
  }
  throw new Error(`The GIF has more than ${framesMax} frames.`);
}

/** The bytes of the colour table that these flags announce. */
function colourTableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

class BlockWalk {
  readonly #content: Buffer;
  #at: number;
  #blocks = 0;

  constructor(content: Buffer, at: number) {
    this.#content = content;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /** The next byte; undefined after the end. */
  next(): number | undefined {
    const byte = this.#content[this.#at];
    this.#at += 1;
    return byte;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  /** Skips sub-blocks and the empty one that ends them. */
  skipSubBlocks(): void {
    while (this.#blocks < blocksMax) {
      this.#blocks += 1;
      const length = this.next();
      if (length === undefined) throw new Error("The GIF is truncated.");
      if (length === 0) return;
      this.skip(length);
    }
    throw new Error(`The GIF has more than ${blocksMax} blocks.`);
  }
}
