import type { Sharp, SharpOptions } from "sharp";
import type { ImageInput } from "../../domain/image-input.js";
import type { ImageFormat } from "../../domain/image-profile.js";

/** The properties of an image, read without decoding its pixels. */
export interface ImageMetadata {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** An image with more pixels is refused by its header, before it is decoded. */
export const pixelsMax = 64 * 1024 * 1024;

/**
 * Reads the header and the end of an image, which is cheap at any size. Returns undefined if the data is not an image
 * or is truncated.
 */
export async function inspectImage(image: ImageInput): Promise<ImageMetadata | undefined> {
  try {
    const opened = await openImage(image.source, { limitInputPixels: false });
    const { format, width, height, hasAlpha } = await opened.metadata();
    if (format !== image.format || !(await isWhole(image))) return undefined;
    return { format: image.format, width, height, hasAlpha };
  } catch {
    return undefined;
  }
}

const pngEnd = Buffer.from("IEND");
const jpegEnd = Buffer.from([0xff, 0xd9]);
/** How far from the end of the file the end marker may be: cameras append data of their own. */
const tailBytes = 64 * 1024;

async function isWhole(image: ImageInput): Promise<boolean> {
  const tail = await image.tail(tailBytes);
  switch (image.format) {
    case "png":
      return tail.includes(pngEnd);
    case "jpeg":
      return tail.includes(jpegEnd);
    case "webp":
      return (await declaredBytes(image)) <= image.bytes;
  }
}

/** The length in the RIFF header: https://developers.google.com/speed/webp/docs/riff_container */
async function declaredBytes(image: ImageInput): Promise<number> {
  for await (const chunk of image.stream()) {
    const head = chunk as Buffer;
    return head.length < 8 ? Number.POSITIVE_INFINITY : head.readUInt32LE(4) + 8;
  }
  return Number.POSITIVE_INFINITY;
}

/** How many bytes `recogniseFormat` needs. */
export const signatureBytes = 12;

/** Recognises the format by the first bytes, because clients often send `application/octet-stream`. */
export function recogniseFormat(head: Buffer): ImageFormat | undefined {
  if (head.subarray(0, 8).equals(pngSignature)) return "png";
  if (head.subarray(0, 3).equals(jpegSignature)) return "jpeg";
  if (head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP") return "webp";
  return undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

/** Opens an image. sharp is loaded on demand: it takes 25 MB, and many gateways serve no images. */
export async function openImage(source: string | Buffer, options?: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(source, options);
}
