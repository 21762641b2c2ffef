import sharp from "sharp";

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** An image as red, green, blue and alpha, in any stored format. */
export interface Pixels extends Size {
  readonly bytes: Buffer;
}

export function bytesOf(image: { b64_json?: string } | undefined): Buffer {
  return Buffer.from(image?.b64_json ?? "", "base64");
}

export async function readPixels(image: Buffer): Promise<Pixels> {
  const { data: bytes, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes };
}

/** The pixels of an image, each as a number, inside a box or outside it. */
export function pixelsWhere({ width, bytes }: Pixels, isWanted: (x: number, y: number) => boolean): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, index) => index)
    .filter((index) => isWanted(index % width, Math.floor(index / width)))
    .map((index) => bytes.readUInt32BE(index * 4));
}

export function isInside({ left, top, width, height }: Box): (x: number, y: number) => boolean {
  return (x, y) => x >= left && x < left + width && y >= top && y < top + height;
}

/** Noise, so that a pixel that was moved or blended is not taken for one that was kept. */
export async function createPhoto({ width, height }: Size): Promise<Buffer> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: "black", noise } })
    .png()
    .toBuffer();
}

/** A mask that lets a box be changed: transparent there, opaque elsewhere. */
export async function createMask({ width, height }: Size, hole: Box): Promise<Buffer> {
  const isHole = isInside(hole);
  const bytes = Buffer.alloc(width * height * 4, 255);
  for (let index = 0; index < width * height; index += 1) {
    if (isHole(index % width, Math.floor(index / width))) bytes[index * 4 + 3] = 0;
  }
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
