import sharp from "sharp";
import { UnreadablePictureError } from "../unreadable-picture-error.js";
import { decode, inspect, type Raster } from "./decode.js";

/** The part of a picture that is to be redrawn. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  /** One byte a pixel: 0 is redrawn, anything else is kept. */
  readonly alpha: Buffer;
}

/** Reads OpenAI's mask: as large as the first image, fully transparent where that is to change. */
export async function readMask(mask: Buffer, first: Pick<Raster, "width" | "height">): Promise<Mask> {
  const header = await inspect(mask, "mask");
  if (header.width !== first.width || header.height !== first.height) {
    const sizes = `${header.width}x${header.height}, and image[0] is ${first.width}x${first.height}`;
    throw new UnreadablePictureError("mask", `must have the size of image[0]: it is ${sizes}.`);
  }
  if (!header.hasAlpha) {
    throw new UnreadablePictureError("mask", "has no alpha channel: make the part to change transparent.");
  }
  const { width, height, pixels } = await decode(mask, { name: "mask", orientation: "stored" });
  const alpha = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .extractChannel("alpha")
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  return { width, height, alpha };
}
