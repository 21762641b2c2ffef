import sharp from "sharp";
import type { Raster } from "./decode.js";
import type { Box } from "./hole.js";

/** From coarse to fine: each level reaches less far into the hole and is laid over the last. */
const levels = [2, 4, 8, 16, 32, 64];
const workSide = 256;

/**
 * What the picture around a hole suggests for inside it: its colours, blurred across. The hole must
 * be transparent in the picture already. Undefined when there is nothing around.
 */
export async function blurSurroundings(picture: Raster, box: Box): Promise<Buffer | undefined> {
  const { width, height, pixels } = picture;
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
  // Nearly transparent pixels know their colour only roughly; the blur evens that out.
  const even = await sharp(whole).blur(4).png().toBuffer();
  return sharp(even)
    .resize({ width, height, fit: "fill", kernel: "cubic" })
    .extract(box)
    .ensureAlpha()
    .raw()
    .toBuffer();
}

async function blurTo(
  picture: Buffer,
  work: { width: number; height: number },
  side: number,
): Promise<Buffer> {
  const shrunk = await sharp(picture)
    .resize({ width: side, height: side, fit: "fill", kernel: "linear" })
    .png()
    .toBuffer();
  // A cell that is partly hole still knows its colour, so it counts for more than its share.
  return sharp(shrunk)
    .resize({ ...work, fit: "fill", kernel: "cubic" })
    .linear([1, 1, 1, 5], [0, 0, 0, 0])
    .png()
    .toBuffer();
}

/** The mean of what can be seen. */
async function meanColour(picture: Buffer): Promise<{ r: number; g: number; b: number } | undefined> {
  const pixel = await sharp(picture)
    .resize({ width: 1, height: 1, fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const [r = 0, g = 0, b = 0, alpha = 0] = pixel;
  return alpha === 0 ? undefined : { r, g, b };
}
