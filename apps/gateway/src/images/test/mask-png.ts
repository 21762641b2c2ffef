import { crc32, deflateSync } from "node:zlib";

/** The colour types of a PNG that can be transparent. https://www.w3.org/TR/png-3/#11IHDR */
export type TransparentPng = "rgba8" | "rgba16" | "grey-alpha8" | "grey-alpha16" | "palette" | "colour-key";

/** A mask with one row of pixels with these alphas, 0 to 255. Written by hand: an encoder would choose the type. */
export function maskPng(type: TransparentPng, alphas: readonly number[]): Buffer {
  const { bits, colourType, pixel, extra = [] } = layouts[type](alphas);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(alphas.length, 0);
  header.writeUInt32BE(1, 4);
  header[8] = bits;
  header[9] = colourType;
  const row = Buffer.from([0, ...alphas.flatMap(pixel)]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...extra,
    chunk("IDAT", deflateSync(row)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

interface Layout {
  readonly bits: 8 | 16;
  readonly colourType: number;
  /** The bytes of one pixel. */
  readonly pixel: (alpha: number, index: number) => number[];
  readonly extra?: readonly Buffer[];
}

/** The colours differ from pixel to pixel: they must not matter. */
const layouts: Readonly<Record<TransparentPng, (alphas: readonly number[]) => Layout>> = {
  rgba8: () => ({ bits: 8, colourType: 6, pixel: (alpha, index) => [index, 255 - index, 40, alpha] }),
  rgba16: () => ({
    bits: 16,
    colourType: 6,
    pixel: (alpha, index) => [index, 0, 255 - index, 9, 40, 0, alpha, alpha],
  }),
  "grey-alpha8": () => ({ bits: 8, colourType: 4, pixel: (alpha, index) => [200 - index, alpha] }),
  "grey-alpha16": () => ({
    bits: 16,
    colourType: 4,
    pixel: (alpha, index) => [200 - index, 7, alpha, alpha],
  }),
  // The alphas at the end of tRNS may be left out: those colours are opaque.
  palette: (alphas) => ({
    bits: 8,
    colourType: 3,
    pixel: (_alpha, index) => [index],
    extra: [
      chunk("PLTE", Buffer.from(alphas.flatMap((_alpha, index) => [index, 255 - index, 40]))),
      chunk("tRNS", Buffer.from(alphas.slice(0, alphas.findLastIndex((one) => one < 255) + 1))),
    ],
  }),
  // One colour is transparent, and every other is opaque.
  "colour-key": () => ({
    bits: 8,
    colourType: 2,
    pixel: (alpha) => (alpha === 0 ? [1, 2, 3] : [1, 2, 4]),
    extra: [chunk("tRNS", Buffer.from([0, 1, 0, 2, 0, 3]))],
  }),
};

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}
