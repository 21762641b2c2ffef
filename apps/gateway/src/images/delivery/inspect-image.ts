import type { Sharp, SharpOptions } from "sharp";
import type { ImageInput } from "../../domain/image-input.js";
import type { ImageFormat } from "../../domain/image-profile.js";

export interface ImageFacts {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** More pixels than this are refused by their header, before anything is decoded. */
export const pixelsMax = 64 * 1024 * 1024;

/**
 * Reads what an image is from its header and its end, which costs next to nothing however large it is. Gives undefined
 * where it is no image, or breaks off.
 */
export async function inspectImage(image: ImageInput): Promise<ImageFacts | undefined> {
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
/** Cameras write notes of their own behind the end of an image. */
const endBytes = 64 * 1024;

async function isWhole(image: ImageInput): Promise<boolean> {
  const tail = await image.tail(endBytes);
  switch (image.format) {
    case "png":
      return tail.includes(pngEnd);
    case "jpeg":
      return tail.includes(jpegEnd);
    case "webp":
      return (await announcedBytes(image)) <= image.bytes;
  }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
async function announcedBytes(image: ImageInput): Promise<number> {
  for await (const chunk of image.stream()) {
    const head = chunk as Buffer;
    return head.length < 8 ? Number.POSITIVE_INFINITY : head.readUInt32LE(4) + 8;
  }
  return Number.POSITIVE_INFINITY;
}

/** How many bytes `recogniseFormat` needs to see. */
export const signatureBytes = 12;

/** Tells an image's format by its first bytes: clients often send `application/octet-stream`. */
export function recogniseFormat(head: Buffer): ImageFormat | undefined {
  if (head.subarray(0, 8).equals(pngSignature)) return "png";
  if (head.subarray(0, 3).equals(jpegSignature)) return "jpeg";
  if (head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP") return "webp";
  return undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

/** Opens an image. sharp comes with the first one: it takes 25 MB, and many gateways never see an image. */
export async function openImage(source: string | Buffer, options?: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(source, options);
}
