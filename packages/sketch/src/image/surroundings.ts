import sharp from "sharp";
import type { Box } from "./hole.js";
import type { Raster } from "./image-file.js";

/** From coarse to fine: each level reaches less far into the hole and is laid over the one before. */
const levels = [2, 4, 8, 16, 32, 64];
const workSide = 256;

/**
 * A fill for a hole: the colours around it, blurred into it. The hole must already be transparent in the image.
 * Undefined if there is nothing around it.
 */
export async function blurSurroundings(image: Raster, box: Box): Promise<Buffer | undefined> {
  const { width, height, pixels } = image;
  const scale = Math.min(1, workSide / Math.max(width, height));
  const work = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const small = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .resize({ ...work, fit: "fill" })
    .png()
    .toBuffer();
  const layers = await Promise.all(levels.map((side) => blurTo(small, work, side)));
  const mean = await meanColour(small);
  if (mean === undefined) return undefined;
  const whole = await sharp({ create: { ...work, channels: 3, background: mean } })
    .composite(layers.map((input) => ({ input })))
    .png()
    .toBuffer();
  // The colour of nearly transparent pixels is imprecise; the blur evens it out.
  const even = await sharp(whole).blur(4).png().toBuffer();
  return sharp(even)
    .resize({ width, height, fit: "fill", kernel: "cubic" })
    .extract(box)
    .ensureAlpha()
    .raw()
    .toBuffer();
}

async function blurTo(image: Buffer, work: { width: number; height: number }, side: number): Promise<Buffer> {
  const shrunk = await sharp(image)
    .resize({ width: side, height: side, fit: "fill", kernel: "linear" })
    .png()
    .toBuffer();
  // A cell that is partly hole still has a colour, so its alpha is raised.
  return sharp(shrunk)
    .resize({ ...work, fit: "fill", kernel: "cubic" })
    .linear([1, 1, 1, 5], [0, 0, 0, 0])
    .png()
    .toBuffer();
}

/** The mean colour of the visible pixels. */
async function meanColour(image: Buffer): Promise<{ r: number; g: number; b: number } | undefined> {
  const pixel = await sharp(image)
    .resize({ width: 1, height: 1, fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const [r = 0, g = 0, b = 0, alpha = 0] = pixel;
  return alpha === 0 ? undefined : { r, g, b };
}
