import sharp, { type Metadata } from "sharp";
import { UnreadablePictureError } from "../unreadable-picture-error.js";

/** 8192 by 4096: more than any camera most people own, and about 130 MB once decoded. */
const pixelsMax = 2 ** 25;

/** Vector and document formats can name files and hide huge sizes, so only plain pictures are read. */
const readableFormats: ReadonlySet<string> = new Set(["png", "jpeg", "webp"]);

/** Pixels as red, green, blue and alpha, a byte each. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

export interface DecodeOptions {
  /** What the caller knows the picture as, for the error: "image[0]", "mask". */
  readonly name: string;
  /** As stored, or turned as its EXIF orientation says. */
  readonly orientation: "stored" | "upright";
  /** Scales while decoding, so that a large picture that is shown small is never held whole. */
  readonly resize?: { readonly width: number; readonly height: number; readonly fit: "cover" | "inside" };
}

/** Decodes one input to sRGB, or says by name why it cannot be used. */
export async function decode(picture: Buffer, { name, orientation, resize }: DecodeOptions): Promise<Raster> {
  await inspect(picture, name);
  try {
    const input = sharp(picture, { limitInputPixels: pixelsMax, autoOrient: orientation === "upright" });
    const sized = resize === undefined ? input : input.resize(resize);
    const { data, info } = await sized
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  } catch (cause) {
    throw new UnreadablePictureError(name, `is damaged: it cannot be decoded.`, { cause });
  }
}

/** Reads a picture's header and refuses what must not be decoded. */
export async function inspect(picture: Buffer, name: string): Promise<Metadata> {
  const header = await readHeader(picture, name);
  if (!readableFormats.has(header.format)) {
    throw new UnreadablePictureError(name, `is not a png, jpeg or webp picture.`);
  }
  if (header.width * header.height > pixelsMax) {
    throw new UnreadablePictureError(name, `has more than ${pixelsMax} pixels.`);
  }
  return header;
}

async function readHeader(picture: Buffer, name: string): Promise<Metadata> {
  try {
    return await sharp(picture, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new UnreadablePictureError(name, `is not a png, jpeg or webp picture.`, { cause });
  }
}
