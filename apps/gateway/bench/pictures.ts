import sharp from "sharp";
import { createNoise } from "./noise.js";

/** A PNG of noise that weighs about as much as asked for: noise does not shrink. */
export async function makeImage(bytes: number): Promise<Buffer> {
  const side = Math.floor(Math.sqrt(bytes / 3));
  const pixels = Buffer.alloc(side * side * 3);
  const noise = createNoise();
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = noise();
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** What an upstream draws: 1.5 MB as base64. */
export const drawnBytes = 1_125_000;
/** What a caller has edited. */
export const editedBytes = 10_000_000;
