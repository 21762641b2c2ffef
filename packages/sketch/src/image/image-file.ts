import sharp, { type Metadata, type Sharp } from "sharp";
import type { SketchOptions } from "../sketch-options.js";

/** 8192 by 4096: more than most cameras produce, and about 130 MB when decoded. */
const pixelsMax = 2 ** 25;

/** Vector and document formats can reference files and hide huge sizes, so they are refused. */
const readableFormats: ReadonlySet<string> = new Set(["png", "jpeg", "webp"]);

/** Pixels as RGBA, one byte per channel. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

interface DecodeOptions {
  /** The name of the image in errors: "image[0]", "mask". */
  readonly name: string;
  /** As stored, or rotated by its EXIF orientation. */
  readonly orientation: "stored" | "upright";
  /** Scales while decoding, so that a large image is never held in full size. */
  readonly resize?: { readonly width: number; readonly height: number; readonly fit: "cover" | "inside" };
}

/** Decodes an input to sRGB. Throws an UnreadableImageError if it cannot be used. */
export async function decode(image: Buffer, { name, orientation, resize }: DecodeOptions): Promise<Raster> {
  await inspect(image, name);
  try {
    const input = sharp(image, { limitInputPixels: pixelsMax, autoOrient: orientation === "upright" });
    const sized = resize === undefined ? input : input.resize(resize);
    const { data, info } = await sized
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  } catch (cause) {
    throw new UnreadableImageError(name, `is damaged: it cannot be decoded.`, { cause });
  }
}

/** Reads the header of an image and refuses images that must not be decoded. */
export async function inspect(image: Buffer, name: string): Promise<Metadata> {
  const header = await readHeader(image, name);
  if (!readableFormats.has(header.format)) {
    throw new UnreadableImageError(name, `is not a png, jpeg or webp image.`);
  }
  if (header.width * header.height > pixelsMax) {
    throw new UnreadableImageError(name, `has more than ${pixelsMax} pixels.`);
  }
  return header;
}

async function readHeader(image: Buffer, name: string): Promise<Metadata> {
  try {
    return await sharp(image, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new UnreadableImageError(name, `is not a png, jpeg or webp image.`, { cause });
  }
}

/** Encodes the image in the requested format. */
export function encode(
  image: Sharp,
  { format, compression = 100 }: Pick<SketchOptions, "format" | "compression">,
): Promise<Buffer> {
  // libvips has no quality 0.
  const quality = Math.max(1, compression);
  switch (format) {
    case "svg":
      throw new RangeError("Pixels cannot be encoded as an svg.");
    case "png":
      // Any of sharp's other png options would switch to a lossy palette.
      return image.png({ compressionLevel: 6 }).toBuffer();
    case "jpeg":
      return image.flatten({ background: "#ffffff" }).jpeg({ quality }).toBuffer();
    case "webp":
      // Effort 2 takes half the time of the default for about 3% more bytes.
      return image.webp({ quality, effort: 2 }).toBuffer();
  }
}

export interface ImageDescription {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** Reads the header of an image. */
export async function describeImage(content: Buffer): Promise<ImageDescription> {
  const { width, height, hasAlpha } = await sharp(content).metadata();
  return { width, height, hasAlpha };
}

/** An input image cannot be used. The message says which one and why. */
export class UnreadableImageError extends Error {
  override readonly name = "UnreadableImageError";

  /** @param image Which input it is: `image[0]`, `mask`. */
  constructor(
    readonly image: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${image} ${reason}`, options);
  }
}
