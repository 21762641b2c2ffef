import type { RasterFormat } from "./image-profile.js";

/** Reads bytes of an image. It returns fewer at the end of it. */
export type ReadBytes = (position: number, length: number) => Buffer | Promise<Buffer>;

/** A chunk of a PNG or a WebP, or a segment of a JPEG. */
export interface ImageBlock {
  /** Empty for a segment, whose marker is its second byte. */
  readonly type: string;
  /** Its first bytes, and those after it if it is shorter. */
  readonly head: Buffer;
  readonly start: number;
  /** The position of the next block. */
  readonly end: number;
}

/** Encoders write pieces of 8 KB and more: this is an image of 80 MB. Each block takes about half a microsecond. */
export const blocksMax = 10_000;

const blocksBetweenPauses = 1000;

export class TooManyBlocksError extends Error {
  /** A part of a sentence. */
  readonly reason: string;

  constructor(max: number) {
    super(`The image has more than ${max} blocks.`);
    this.reason = `it has more than ${max} blocks`;
  }
}

/** Looks at a block. False ends the walk. */
type VisitBlock = (block: ImageBlock) => boolean;

/**
 * Walks over the blocks of an image, by their headers alone. It ends with the image, before a damaged block, and where the
 * pixels of a JPEG begin. Throws for more blocks than any encoder writes.
 */
export async function walkBlocks(
  { format, bytes = Number.POSITIVE_INFINITY, read, max = blocksMax, pause }: BlockSource,
  visit: VisitBlock,
): Promise<void> {
  const { firstBlock, headBytes, blockAt } = layouts[format];
  let at = firstBlock;
  for (let blocks = 0; at < bytes; blocks += 1) {
    if (blocks === max) throw new TooManyBlocksError(max);
    if (blocks % blocksBetweenPauses === 0) await pause?.();
    const reading = read(at, headBytes);
    // No promise for bytes in memory: a large image has hundreds of blocks.
    const { block, next } = blockAt(Buffer.isBuffer(reading) ? reading : await reading, at);
    if ((block !== undefined && !visit(block)) || next === undefined) return;
    at = next;
  }
}

/** An image whose blocks are read. */
interface BlockSource {
  readonly format: RasterFormat;
  /** Absent: the walk ends where `read` returns nothing. */
  readonly bytes?: number;
  readonly read: ReadBytes;
  /** Less than `blocksMax`, where only the start of an image is of interest. */
  readonly max?: number;
  /** Called before each thousand blocks, so that other requests run in between. */
  readonly pause?: () => Promise<void> | undefined;
}

interface BlockStep {
  /** Absent for a byte that fills up, and after the last block. */
  readonly block?: ImageBlock;
  /** Absent at the end. */
  readonly next?: number;
}

interface Layout {
  readonly firstBlock: number;
  /** The bytes that are read of each block. */
  readonly headBytes: number;
  readonly blockAt: (head: Buffer, start: number) => BlockStep;
}

/** A length, the type, the content, and a checksum. https://www.w3.org/TR/png-3/#5DataRep */
function pngChunk(head: Buffer, start: number): BlockStep {
  const type = head.toString("latin1", 4, 8);
  // Decoders end here too.
  if (head.length < 8 || !/^[A-Za-z]{4}$/.test(type)) return {};
  const end = start + 12 + head.readUInt32BE(0);
  const block = { type, head, start, end };
  return type === "IEND" ? { block } : { block, next: end };
}

/** The type, a length, and the content. A byte fills up an odd one. https://developers.google.com/speed/webp/docs/riff_container */
function webpChunk(head: Buffer, start: number): BlockStep {
  if (head.length < 8) return {};
  const length = head.readUInt32LE(4);
  const end = start + 8 + length + (length % 2);
  return { block: { type: head.toString("latin1", 0, 4), head, start, end }, next: end };
}

/** The pixels, and the end. */
const lastMarkers: ReadonlySet<number> = new Set([0xda, 0xd9]);

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1 */
function jpegSegment(head: Buffer, start: number): BlockStep {
  const marker = head[1] ?? 0;
  if (head.length < 2 || head[0] !== 0xff || lastMarkers.has(marker)) return {};
  if (marker === 0xff) return { next: start + 1 };
  if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) return { next: start + 2 };
  if (marker < 0xc0 || head.length < 4 || head.readUInt16BE(2) < 2) return {};
  const end = start + 2 + head.readUInt16BE(2);
  return { block: { type: "", head, start, end }, next: end };
}

const layouts: Readonly<Record<RasterFormat, Layout>> = {
  png: { firstBlock: 8, headBytes: 8, blockAt: pngChunk },
  // Up to the size of a frame, and up to the type of a box of JUMBF.
  jpeg: { firstBlock: 2, headBytes: 52, blockAt: jpegSegment },
  webp: { firstBlock: 12, headBytes: 8, blockAt: webpChunk },
};
