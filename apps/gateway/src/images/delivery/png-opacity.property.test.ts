import { crc32, deflateSync } from "node:zlib";
import { ImageBytes } from "@model-gateway/domain/image-bytes";
import { isOpaquePng } from "@model-gateway/domain/png-opacity";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { ImageDecoder } from "./image-decoder.js";

const seed = 20261116;

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly bits: 8 | 16;
  readonly colourType: 4 | 6;
  /** One filter per row. */
  readonly filters: readonly number[];
  /** The length of each piece of the zlib stream. */
  readonly pieceBytes: number;
  /** The alpha of single pixels; all others are opaque. */
  readonly holes: readonly { readonly pixel: number; readonly alpha: number }[];
}

/** Writes a PNG by hand: an encoder would choose the filters. https://www.w3.org/TR/png-3/#9Filters */
function drawPng(drawing: Drawing): Buffer {
  const { width, height, bits, colourType, filters, pieceBytes, holes } = drawing;
  const sample = bits / 8;
  const channels = colourType === 6 ? 4 : 2;
  const pixelBytes = channels * sample;
  const rowBytes = width * pixelBytes;
  const pixels = Buffer.alloc(rowBytes * height);
  for (let at = 0; at < pixels.length; at += 1)
    pixels[at] = at % pixelBytes >= pixelBytes - sample ? 255 : (at * 2654435761) >>> 24;
  for (const { pixel, alpha } of holes)
    pixels[(pixel % (width * height)) * pixelBytes + pixelBytes - 1] = alpha;
  const rows: number[] = [];
  for (let row = 0; row < height; row += 1) {
    const filter = filters[row % filters.length] ?? 0;
    rows.push(filter);
    for (let at = 0; at < rowBytes; at += 1) {
      const value = (line: number, byte: number) =>
        line < 0 || byte < 0 ? 0 : (pixels[line * rowBytes + byte] ?? 0);
      const [left, up, corner] = [
        value(row, at - pixelBytes),
        value(row - 1, at),
        value(row - 1, at - pixelBytes),
      ];
      const predicted = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][filter] ?? 0;
      rows.push((value(row, at) - predicted) & 255);
    }
  }
  return writePng(drawing, deflateSync(Buffer.from(rows)), pieceBytes);
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(estimate - one)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function writePng(
  { width, height, bits, colourType }: Pick<Drawing, "width" | "height" | "bits" | "colourType">,
  packed: Buffer,
  pieceBytes: number,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colourType], 8);
  const pieces: Buffer[] = [];
  for (let at = 0; at < packed.length; at += pieceBytes)
    pieces.push(chunk("IDAT", packed.subarray(at, at + pieceBytes)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), ...pieces, chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

test("the opacity equals a decoder's, for all filters, depths, chunks and holes", async () => {
  const drawings = fc.record({
    width: fc.integer({ min: 1, max: 24 }),
    height: fc.integer({ min: 1, max: 12 }),
    bits: fc.constantFrom(8 as const, 16 as const),
    colourType: fc.constantFrom(4 as const, 6 as const),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 }),
    pieceBytes: fc.integer({ min: 1, max: 400 }),
    holes: fc.array(
      fc.record({ pixel: fc.nat(), alpha: fc.oneof(fc.constant(254), fc.integer({ min: 0, max: 255 })) }),
      { maxLength: 1 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(drawings, async (drawing) => {
      const png = drawPng(drawing);
      const { isOpaque } = await sharp(png).stats();

      expect(isOpaque).toBe(drawing.holes.every(({ alpha }) => alpha === 255));
      expect(await isOpaquePng(png)).toBe(isOpaque);
    }),
    { numRuns: lengthByTier({ short: 30, full: 150 }), seed },
  );
});

test("one pixel that is almost opaque is found at every place and behind every filter", async () => {
  const [width, height] = [5, 4];
  for (const filter of [0, 1, 2, 3, 4]) {
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const drawing = { width, height, bits: 8, colourType: 6, filters: [filter], pieceBytes: 1000 } as const;

      expect(await isOpaquePng(drawPng({ ...drawing, holes: [{ pixel, alpha: 254 }] }))).toBe(false);
      expect(await isOpaquePng(drawPng({ ...drawing, holes: [] }))).toBe(true);
    }
  }
});

test("hard cases are left to a decoder: interlaced, palettes, single colours", async () => {
  const raw = Buffer.alloc(16 * 16 * 4, 255);
  const image = () => sharp(raw, { raw: { width: 16, height: 16, channels: 4 } });
  const transparent = () => sharp(Buffer.alloc(raw.length), { raw: { width: 16, height: 16, channels: 4 } });
  const decoder = new ImageDecoder();
  for (const form of [{ progressive: true }, { palette: true }]) {
    const [opaque, clear] = [await image().png(form).toBuffer(), await transparent().png(form).toBuffer()];

    expect(await isOpaquePng(clear)).toBeUndefined();
    expect(await decoder.isOpaque(ImageBytes.fromBinary(opaque), "key")).toBe(true);
    expect(await decoder.isOpaque(ImageBytes.fromBinary(clear), "key")).toBe(false);
  }
});

test("damaged pixels are left to the decoder, which refuses them, and never unpacked beyond the image", async () => {
  const size = { width: 40, height: 40, bits: 8, colourType: 6 } as const;
  const rows = Buffer.alloc(40 * (1 + 160), 255);
  for (let row = 0; row < 40; row += 1) rows[row * 161] = 0;
  const unknownFilter = Buffer.from(rows);
  unknownFilter[161 * 20] = 9;
  const packed = deflateSync(rows);
  const damaged = Buffer.from(packed);
  damaged.fill(0x55, Math.floor(packed.length / 2));
  const forms = {
    "too few rows": deflateSync(rows.subarray(0, 20 * 161)),
    "a thousand times as many rows": deflateSync(Buffer.alloc(rows.length * 1000)),
    "an unknown filter": deflateSync(unknownFilter),
    "cut off": packed.subarray(0, -6),
    "not a zlib stream": Buffer.from("hello, world"),
    "empty pieces": Buffer.alloc(0),
    damaged,
  };
  for (const [name, content] of Object.entries(forms))
    expect(await isOpaquePng(writePng(size, content, 1000)), name).toBeUndefined();
  expect(await isOpaquePng(writePng(size, packed, 1000))).toBe(true);
  // A hundred thousand pieces of one byte.
  expect(await isOpaquePng(writePng(size, Buffer.alloc(100_000), 1))).toBeUndefined();
  // Its pixels would take 64 MB.
  expect(await isOpaquePng(writePng({ ...size, width: 4096, height: 4096 }, packed, 1000))).toBeUndefined();
});
