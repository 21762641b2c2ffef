import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { blocksMax, TooManyBlocksError } from "./image-blocks.js";
import { findDecodingRisk, readHeader, recogniseFormat } from "./image-header.js";

const canvas = (channels: 3 | 4, width = 37, height = 21) =>
  sharp({ create: { width, height, channels, background: { r: 9, g: 99, b: 200, alpha: 0.5 } } });

const images: readonly [name: string, image: Sharp][] = [
  ["a png", canvas(3).png()],
  ["a png with an alpha channel", canvas(4).png()],
  ["a grey png", canvas(3).greyscale().png()],
  ["a png with a palette", canvas(3).png({ palette: true })],
  ["a png with a transparent palette", canvas(4).png({ palette: true })],
  ["a png with a colour profile", canvas(3).withIccProfile("p3").png()],
  [
    "a png with metadata",
    canvas(3)
      .withExif({ IFD0: { Copyright: "us" } })
      .png(),
  ],
  ["a jpeg", canvas(3).jpeg()],
  ["a progressive jpeg", canvas(3).jpeg({ progressive: true })],
  [
    "a jpeg with metadata",
    canvas(3)
      .withExif({ IFD0: { Copyright: "us" } })
      .withIccProfile("srgb")
      .jpeg(),
  ],
  ["a webp", canvas(3).webp()],
  ["a webp with an alpha channel", canvas(4).webp()],
  ["a lossless webp", canvas(3).webp({ lossless: true })],
  ["a lossless webp with an alpha channel", canvas(4).webp({ lossless: true })],
  [
    "a webp with metadata",
    canvas(3)
      .withExif({ IFD0: { Copyright: "us" } })
      .webp(),
  ],
  ["a large webp", canvas(3, 5000, 3).webp()],
];

test.each(images)("the header of %s agrees with sharp", async (_name, image) => {
  const content = await image.toBuffer();
  const { format, width, height, hasAlpha } = await sharp(content).metadata();

  expect(await header(content)).toEqual({ format, width, height, hasAlpha });
});

test.each(images)("%s that ends within its header has none", async (_name, image) => {
  const content = await image.toBuffer();

  expect(await header(content.subarray(0, 24))).toBeUndefined();
});

test("a header with a wrong checksum, no width or an unknown colour type is not read", async () => {
  const head = (width: number, colourType: number) => png([ihdr(width, colourType), pngChunk("IDAT", "")]);
  const broken = Buffer.from(head(8, 2));
  broken.writeUInt8(9, 19);

  expect(await header(head(8, 2))).toMatchObject({ width: 8, height: 5 });
  expect(await header(broken)).toBeUndefined();
  expect(await header(head(0, 2))).toBeUndefined();
  expect(await header(head(8, 5))).toBeUndefined();
});

const text = (bytes: number) => pngChunk("zTXt", deflateSync(Buffer.alloc(bytes), { level: 9 }));

test("compressed text beyond a bound is refused, before and after the pixels", async () => {
  const bomb = Array.from({ length: 20 }, () => text(20_000_000));
  const before = png([ihdr(8, 2), ...bomb, pngChunk("IDAT", "")]);
  const after = png([ihdr(8, 2), pngChunk("IDAT", ""), ...bomb]);
  const little = png([ihdr(8, 2), text(100_000), pngChunk("IDAT", ""), text(100_000)]);

  const risk = "it has too much compressed text";
  expect([await header(before), await findDecodingRisk(before)]).toEqual([undefined, risk]);
  expect([(await header(after))?.width, await findDecodingRisk(after)]).toEqual([8, risk]);
  expect([(await header(little))?.width, await findDecodingRisk(little)]).toEqual([8, undefined]);
});

test("an image of more blocks than an encoder writes is not decoded", async () => {
  const blocks = (count: number) => png([ihdr(8, 2), Buffer.alloc(12 * count, pngChunk("teXt", ""))]);

  expect(await findDecodingRisk(blocks(blocksMax - 2))).toBeUndefined();
  expect(await findDecodingRisk(blocks(blocksMax - 1))).toBe("it has more than 10000 blocks");
});

test.each([
  ["png", "chunks", pngChunk("teXt", "")],
  ["jpeg", "bytes that fill up", Buffer.from([0xff])],
  ["jpeg", "empty segments", Buffer.from([0xff, 0xe1, 0, 2])],
  ["webp", "chunks", Buffer.from("EXIF\0\0\0\0")],
] as const)(
  "a header of a %s that never reaches the pixels for %s is refused",
  async (format, _name, block) => {
    const start = {
      png: png([ihdr(8, 2)]).subarray(0, -12),
      jpeg: Buffer.from([0xff, 0xd8]),
      webp: Buffer.concat([
        Buffer.from("RIFF\0\0\0\0WEBPVP8X"),
        Buffer.from([10, 0, 0, 0]),
        Buffer.alloc(10),
      ]),
    }[format];
    const endless = Buffer.concat([start, Buffer.alloc(block.length * 2000, block)]);
    let reads = 0;

    const found = readHeader(format, (position, length) => {
      reads += 1;
      return endless.subarray(position, position + length);
    });

    await expect(found).rejects.toThrow(TooManyBlocksError);
    expect(reads).toBeLessThan(1003);
  },
);

function header(content: Buffer) {
  const format = recogniseFormat(content);
  if (format === undefined) throw new Error("The format was not recognised.");
  return readHeader(format, (position, length) => content.subarray(position, position + length));
}

function png(chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunks,
    pngChunk("IEND", ""),
  ]);
}

function ihdr(width: number, colourType: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(5, 4);
  data.set([8, colourType], 8);
  return pngChunk("IHDR", data);
}

function pngChunk(type: string, data: string | Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(Buffer.from(data), 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
