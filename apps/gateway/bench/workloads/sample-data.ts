import sharp from "sharp";

/** Numbers per vector, as in text-embedding-3-small. */
export const width = 1536;
const vectorCount = 64;

/** The size of the image that the upstream returns: 1.5 MB in base64. */
export const createdImageBytes = 1_125_000;
/** The size of an image that a caller uploads. */
export const uploadedImageBytes = 10_000_000;
/** The size of an image in an embedding input. */
export const embeddedImageBytes = 1_000_000;

export interface SampleVector {
  readonly values: Float32Array;
  /** As upstreams write it: each float32 with the digits of a double, about 20 characters a number. */
  readonly json: string;
  readonly base64: string;
}

/** The benchmark's vectors, the same in every process. The number in an input selects one of them. */
export function createVectors(): readonly SampleVector[] {
  const nextByte = createByteSequence();
  return Array.from({ length: vectorCount }, () => {
    const values = Float32Array.from(
      { length: width },
      () => (nextByte() * 256 + nextByte() - 32_768) / 655_360,
    );
    return {
      values,
      json: `[${Array.from(values).join(",")}]`,
      base64: Buffer.from(values.buffer).toString("base64"),
    };
  });
}

/** The index of the vector that belongs to the input with this number. */
export function vectorIndex(number: number): number {
  return number % vectorCount;
}

/** An input of one sentence. It starts with its number, which the upstream reads. */
export function inputText(number: number): string {
  return `#${String(number).padStart(7, "0")} The quick brown fox jumps over the lazy dog, and comes back for its hat.`;
}

/** Reads an input's number, given the offset of its `#`. */
export function inputNumber(text: Buffer, offset: number): number {
  let number = 0;
  for (let at = offset + 1; at < offset + 8; at += 1) number = number * 10 + (text[at] ?? 0) - 48;
  return number;
}

/** A PNG of about this size. Its pixels are random, so it does not compress. */
export function createImage(bytes: number): Promise<Buffer> {
  return createPng(bytes, 3);
}

/** The same with an alpha channel, in which every pixel is opaque. */
export function createRgbaImage(bytes: number): Promise<Buffer> {
  return createPng(bytes, 4);
}

function createPng(bytes: number, channels: 3 | 4): Promise<Buffer> {
  const side = sideOf(bytes, channels);
  const pixels = Buffer.alloc(side * side * channels);
  const nextByte = createByteSequence();
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = at % channels === 3 ? 255 : nextByte();
  return sharp(pixels, { raw: { width: side, height: side, channels } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** A transparent PNG with as many pixels as an image of this size. */
export async function createMask(imageBytes: number): Promise<Buffer> {
  const side = sideOf(imageBytes, 3);
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp({ create: { width: side, height: side, channels: 4, background } })
    .png()
    .toBuffer();
}

function sideOf(imageBytes: number, channels: 3 | 4): number {
  return Math.floor(Math.sqrt(imageBytes / channels));
}

/** Pseudo-random bytes with a fixed seed, from a linear congruential generator. */
function createByteSequence(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
}
