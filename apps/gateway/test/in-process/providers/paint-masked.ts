import sharp, { type Sharp } from "sharp";

/** The colour of pixels that a fake server has edited. */
export const paint = [255, 0, 255] as const;

/** Edits an image as a server with white masks does: pixels of the mask above the half become `paint`. */
export async function paintMasked(image: Buffer, mask: Buffer): Promise<Sharp> {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const selected = await sharp(mask)
    .resize(width, height, { fit: "fill", kernel: "nearest" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  for (const [pixel, value] of selected.entries()) if (value > 127) data.set(paint, 3 * pixel);
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** The pixels of an image as red, green and blue. */
export async function rgbOf(image: Buffer): Promise<number[][]> {
  const data = await sharp(image).removeAlpha().toColourspace("srgb").raw().toBuffer();
  return Array.from({ length: data.length / 3 }, (_pixel, at) => [...data.subarray(3 * at, 3 * at + 3)]);
}

/** An opaque image in which every pixel has another colour. */
export function gradient(width: number, height: number): Promise<Buffer> {
  const pixels = Array.from({ length: width * height }, (_pixel, at) => [at % 251, (at * 7) % 241, 40]);
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** A mask in OpenAI's form: `isEdited` says which pixels are transparent. */
export function maskOf(
  width: number,
  height: number,
  isEdited: (x: number, y: number) => boolean,
): Promise<Buffer> {
  const pixels = Array.from({ length: width * height }, (_pixel, at) => [
    // White where it is kept: a server that looks at the colours would edit the wrong side.
    ...[255, 255, 255],
    isEdited(at % width, Math.floor(at / width)) ? 0 : 255,
  ]);
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
