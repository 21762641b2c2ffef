import sharp from "sharp";
import type { SketchOptions } from "../sketch-options.js";
import { encode } from "./image-file.js";

/** The largest blur, as a share of the longer side. */
const blurShare = 1 / 24;
/** libvips has no smaller one. */
const blurMin = 0.3;

export interface PreviewOptions extends Pick<SketchOptions, "format" | "compression"> {
  /** The drawn share of the image: from 0, only its colours, to 1. */
  readonly progress: number;
}

/** An image that is not finished yet, as a stream shows it: the same one, blurred. */
export async function previewImage(image: Buffer, { progress, ...options }: PreviewOptions): Promise<Buffer> {
  const { width, height } = await sharp(image).metadata();
  const blur = Math.max(blurMin, Math.max(width, height) * blurShare * (1 - progress));
  return encode(sharp(image).blur(blur), options);
}
