import { promisify } from "node:util";
import { constants, inflate, inflateSync } from "node:zlib";
import { freeArrayBuffers, ownMemory } from "@model-gateway/runtime/buffer-pool";
import { joinBytes } from "@model-gateway/runtime/join-bytes";
import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";
import { walkBlocks } from "./image-blocks.js";

const inflateInThread = promisify(inflate);

/** The unpacked pixels of a larger image are not held in memory: 8 million pixels with 8 bits a channel. */
const pixelBytesMax = 32 * 1024 * 1024;
/** Rows are compared some at a time: those of one pixel took 100 ms. */
const rowBytesPerStep = 128 * 1024;
/** They unpack to at most a thousand times as much: a millisecond. */
const peekBytes = 1024;

/**
 * Whether every pixel of a PNG with an alpha channel is opaque, from the unpacked data alone. Undefined if it needs a
 * decoder: the image is interlaced, has a palette, is too large, or is damaged.
 *
 * No pixel is computed. A filter predicts a byte from the same channel of the pixels before it. While all of them are
 * opaque, the filtered alpha of one more opaque pixel can have one value only. https://www.w3.org/TR/png-3/#9Filters
 */
export async function isOpaquePng(png: Buffer): Promise<boolean | undefined> {
  const layout = readLayout(png);
  if (layout === undefined) return undefined;
  const slice = new TimeSlice();
  try {
    const packed = await packedPixels(png, slice);
    if (packed === undefined) return undefined;
    // Most images that are not opaque begin with a transparent pixel.
    const bytes = layout.height * (1 + layout.rowBytes);
    const peek = { maxOutputLength: bytes, finishFlush: constants.Z_SYNC_FLUSH };
    const first = inflateSync(packed.subarray(0, peekBytes), peek);
    if ((await inSlices(compareAlpha(first, layout), slice)) === "differs") return false;
    // A little more than is needed: where a chunk is full, zlib allocates another.
    const bounds = { chunkSize: bytes + constants.Z_MIN_CHUNK, maxOutputLength: bytes };
    const unpacked = await inflateInThread(packed, bounds);
    slice.renew();
    const compared = await inSlices(compareAlpha(unpacked, layout), slice);
    const isWhole = unpacked.length === bytes;
    // A small one is in memory that Node shares among buffers.
    const memory = ownMemory(unpacked);
    if (memory !== undefined) freeArrayBuffers([memory]);
    return compared === "unknown filter" || !isWhole ? undefined : compared === "equal";
  } catch {
    return undefined;
  }
}

interface PngLayout {
  readonly height: number;
  readonly rowBytes: number;
  readonly pixelBytes: number;
  readonly alphaBytes: number;
}

/** The channels of the colour types with an alpha channel. */
const channelsOf: Readonly<Record<number, number>> = { 4: 2, 6: 4 };

/** @param png Its header was checked before. */
function readLayout(png: Buffer): PngLayout | undefined {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth = 0, colourType = 0, , , interlacing] = png.subarray(24, 29);
  const channels = channelsOf[colourType];
  if (channels === undefined || (depth !== 8 && depth !== 16) || interlacing !== 0) return undefined;
  const alphaBytes = depth / 8;
  const pixelBytes = channels * alphaBytes;
  const rowBytes = width * pixelBytes;
  return height * (1 + rowBytes) > pixelBytesMax ? undefined : { height, rowBytes, pixelBytes, alphaBytes };
}

/** The content of all IDAT chunks, which is one zlib stream. */
async function packedPixels(png: Buffer, slice: TimeSlice): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  const read = (position: number, length: number) => png.subarray(position, position + length);
  await walkBlocks({ format: "png", read }, ({ type, start, end }) => {
    const isPixels = type === "IDAT";
    if (isPixels) pieces.push(png.subarray(start + 8, end - 4));
    // They follow each other.
    return isPixels || pieces.length === 0;
  });
  return pieces.length > 1 ? inSlices(joinBytes(pieces), slice) : pieces[0];
}

type OpacityComparison = "equal" | "differs" | "unknown filter";

/** Compares the filtered rows' alpha with that of an opaque image. The last row may be cut off. */
function* compareAlpha(rows: Buffer, layout: PngLayout): Steps<OpacityComparison> {
  const stepBytes = Math.ceil(rowBytesPerStep / (1 + layout.rowBytes)) * (1 + layout.rowBytes);
  for (let start = 0; start < rows.length; start += stepBytes) {
    const compared = compareRows(rows, layout, { start, end: Math.min(start + stepBytes, rows.length) });
    if (compared !== "equal") return compared;
    yield;
  }
  return "equal";
}

function compareRows(
  rows: Buffer,
  { rowBytes, pixelBytes, alphaBytes }: PngLayout,
  { start: from, end: to }: { readonly start: number; readonly end: number },
): OpacityComparison {
  for (let start = from; start < to; start += 1 + rowBytes) {
    const expected = (start === 0 ? opaqueFirstRow : opaqueRow)[rows[start] ?? 0];
    if (expected === undefined) return "unknown filter";
    const end = Math.min(start + 1 + rowBytes, to);
    for (let byte = 1; byte <= alphaBytes; byte += 1) {
      const first = start + 1 + pixelBytes - byte;
      if (first < end && rows[first] !== expected.first) return "differs";
      const { next } = expected;
      for (let at = first + pixelBytes; at < end; at += pixelBytes) if (rows[at] !== next) return "differs";
    }
  }
  return "equal";
}

/** The filtered alpha of a row's first pixel, and of those after it. */
interface FilteredAlpha {
  readonly first: number;
  readonly next: number;
}

/** By filter: none, sub, up, average, Paeth. Pixels outside the image count as 0. */
const opaqueFirstRow: readonly FilteredAlpha[] = [
  { first: 255, next: 255 },
  { first: 255, next: 0 },
  { first: 255, next: 255 },
  // 255 minus half of 255 on the left, rounded down.
  { first: 255, next: 128 },
  { first: 255, next: 0 },
];
const opaqueRow: readonly FilteredAlpha[] = [
  { first: 255, next: 255 },
  { first: 255, next: 0 },
  { first: 0, next: 0 },
  { first: 128, next: 0 },
  { first: 0, next: 0 },
];
