import type { Steps } from "@model-gateway/runtime/time-slice";
import { pixelsMax } from "./inspect-image.js";

/** More frames or blocks than any real animation has. The gateway does not decode them, but its callers will. */
const framesMax = 1000;
const blocksMax = 1_000_000;
/** A block takes some nanoseconds. */
const blocksPerStep = 4096;

const extension = 0x21;
const imageDescriptor = 0x2c;
const trailer = 0x3b;
/** The signature and the size of the whole image. */
const headBytes = 13;
/** An extension that begins with these has a C2PA manifest store. */
const manifestStart = Buffer.from("\xff\x0bC2PA_GIF\x01\x00\x00", "latin1");

export interface GifMetadata {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly hasManifest: boolean;
}

/**
 * Walks over the blocks of a GIF without decoding them. Throws an error that says why if it is not one, or not a whole
 * one. https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function* walkGif(content: Buffer): Steps<GifMetadata> {
  if (content.length < headBytes || !/^GIF8[79]a$/.test(content.toString("latin1", 0, 6)))
    throw new Error("The data does not begin as a GIF.");
  const [width, height] = [content.readUInt16LE(6), content.readUInt16LE(8)];
  if (width === 0 || height === 0 || width * height > pixelsMax)
    throw new Error(`The GIF has a size of ${width}x${height}.`);
  const walk = new BlockWalk(content, headBytes + colourTableBytes(content[10]));
  for (let blocks = 1; walk.readNext(); blocks += 1) {
    if (blocks === blocksMax) throw new Error(`The GIF has more than ${blocksMax} blocks.`);
    if (blocks % blocksPerStep === 0) yield;
  }
  const { frames, hasManifest } = walk;
  return { width, height, frames, hasManifest };
}

/** The bytes of the colour table that these flags announce. */
function colourTableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Sub-blocks, each with its length, follow the start of every block. An empty one ends them. */
class BlockWalk {
  readonly #content: Buffer;
  #at: number;
  #isInSubBlocks = false;
  frames = 0;
  hasManifest = false;

  constructor(content: Buffer, at: number) {
    this.#content = content;
    this.#at = at;
  }

  /** Reads a sub-block, or the start of a block. False at the end of the GIF. */
  readNext(): boolean {
    const byte = this.#content[this.#at];
    this.#at += 1;
    if (!this.#isInSubBlocks) return this.#readStart(byte);
    if (byte === undefined) throw new Error("The GIF is truncated.");
    this.#at += byte;
    this.#isInSubBlocks = byte !== 0;
    return true;
  }

  #readStart(introducer: number | undefined): boolean {
    if (introducer === trailer && this.frames > 0) return false;
    if (introducer === imageDescriptor) {
      this.frames += 1;
      if (this.frames > framesMax) throw new Error(`The GIF has more than ${framesMax} frames.`);
      // The position and the size, the flags, the colour table, and the code size of the pixels.
      this.#at += 9 + colourTableBytes(this.#content[this.#at + 8]) + 1;
    } else if (introducer === extension) {
      const end = this.#at + manifestStart.length;
      this.hasManifest ||= manifestStart.equals(this.#content.subarray(this.#at, end));
      this.#at += 1;
    } else {
      throw new Error("The GIF is truncated, damaged or empty.");
    }
    this.#isInSubBlocks = true;
    return true;
  }
}
