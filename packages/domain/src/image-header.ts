import { crc32 } from "node:zlib";
import { type ReadBytes, TooManyBlocksError, walkBlocks } from "./image-blocks.js";
import type { RasterFormat } from "./image-profile.js";

/** The properties of a raster image, read from its header alone. */
export interface ImageMetadata {
  readonly format: RasterFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** Number of bytes that `recogniseFormat` needs. */
export const signatureBytes = 12;

/** Recognises the format by the first bytes, because clients often send `application/octet-stream`. */
export function recogniseFormat(head: Buffer): RasterFormat | undefined {
  if (head.subarray(0, 8).equals(pngSignature)) return "png";
  if (head.subarray(0, 3).equals(jpegSignature)) return "jpeg";
  if (latin1(head, 0, 4) === "RIFF" && latin1(head, 8, 12) === "WEBP") return "webp";
  return undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

/** Before the pixels. A request may have many images, whose headers are read in one turn. */
const headerBlocksMax = 1000;
/** A decoder unpacks the compressed texts and profiles of a PNG, each to a thousand times its size. */
const compressedBytesMax = 256 * 1024;

/**
 * Reads an image header. Undefined if it is missing, or unsafe for a decoder. Throws `TooManyBlocksError`.
 *
 * Nothing is unpacked: a decoder would unpack a PNG's texts and colour profile, even if only its size is wanted, and a
 * few kilobytes can become gigabytes.
 */
export async function readHeader(format: RasterFormat, read: ReadBytes): Promise<ImageMetadata | undefined> {
  switch (format) {
    case "png":
      return readPng(read);
    case "jpeg":
      return readJpeg(read);
    case "webp":
      return readWebp(read);
  }
}

/** https://www.w3.org/TR/png-3/#5DataRep */
async function readPng(read: ReadBytes): Promise<ImageMetadata | undefined> {
  const head = await read(0, 33);
  if (head.length < 33 || head.readUInt32BE(8) !== 13 || latin1(head, 12, 16) !== "IHDR") return undefined;
  if (crc32(head.subarray(12, 29)) !== head.readUInt32BE(29)) return undefined;
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  const colourType = head[25] ?? 0;
  if (width === 0 || height === 0 || ![0, 2, 3, 4, 6].includes(colourType)) return undefined;
  let hasAlpha = colourType === 4 || colourType === 6;
  let compressedBytes = 0;
  let hasPixels = false;
  await walkBlocks({ format: "png", read, max: headerBlocksMax }, ({ type, head: chunk }) => {
    hasPixels = type === "IDAT";
    hasAlpha ||= type === "tRNS";
    if (compressedTypes.has(type)) compressedBytes += chunk.readUInt32BE(0);
    return !hasPixels && compressedBytes <= compressedBytesMax;
  });
  return hasPixels ? { format: "png", width, height, hasAlpha } : undefined;
}

const compressedTypes: ReadonlySet<string> = new Set(["iCCP", "zTXt", "iTXt"]);

/**
 * Why a decoder may not be given the whole content. `readHeader` looks only at the bytes before the pixels: compressed
 * texts may follow them.
 */
export async function findDecodingRisk(content: Buffer): Promise<string | undefined> {
  if (recogniseFormat(content) !== "png") return undefined;
  const read = (position: number, length: number) => content.subarray(position, position + length);
  let compressedBytes = 0;
  try {
    await walkBlocks({ format: "png", read }, ({ type, head }) => {
      if (compressedTypes.has(type)) compressedBytes += head.readUInt32BE(0);
      return true;
    });
  } catch (failure) {
    if (failure instanceof TooManyBlocksError) return failure.reason;
    throw failure;
  }
  return compressedBytes > compressedBytesMax ? "it has too much compressed text" : undefined;
}

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1 */
async function readJpeg(read: ReadBytes): Promise<ImageMetadata | undefined> {
  let frame: Buffer | undefined;
  await walkBlocks({ format: "jpeg", read, max: headerBlocksMax }, ({ head }) => {
    if (isFrame(head[1] ?? 0)) frame = head;
    return frame === undefined;
  });
  if (frame === undefined || frame.length < 9) return undefined;
  const [height, width] = [frame.readUInt16BE(5), frame.readUInt16BE(7)];
  return width === 0 || height === 0 ? undefined : { format: "jpeg", width, height, hasAlpha: false };
}

/** A start of frame. Three markers of that range are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
async function readWebp(read: ReadBytes): Promise<ImageMetadata | undefined> {
  const head = await read(0, 30);
  if (head.length < 30) return undefined;
  switch (latin1(head, 12, 16)) {
    case "VP8X": {
      const hasAlpha = ((head[20] ?? 0) & 0x10) !== 0;
      const isImage = await hasWebpImage(read);
      return isImage ? webp(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1, hasAlpha) : undefined;
    }
    case "VP8L": {
      const bits = head.readUInt32LE(21);
      const hasAlpha = ((bits >>> 28) & 1) === 1;
      return head[20] === 0x2f
        ? webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, hasAlpha)
        : undefined;
    }
    case "VP8 ": {
      const isKeyFrame = head.readUIntBE(23, 3) === 0x9d012a;
      return isKeyFrame
        ? webp(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff, false)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether the chunks after an extended header lead to an image. */
async function hasWebpImage(read: ReadBytes): Promise<boolean> {
  let isFound = false;
  await walkBlocks({ format: "webp", read, max: headerBlocksMax }, ({ type }) => {
    isFound = webpImages.has(type);
    return !isFound;
  });
  return isFound;
}

const webpImages: ReadonlySet<string> = new Set(["VP8 ", "VP8L", "ANMF"]);

function webp(width: number, height: number, hasAlpha: boolean): ImageMetadata | undefined {
  return width === 0 || height === 0 ? undefined : { format: "webp", width, height, hasAlpha };
}

function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("latin1", start, end);
}
