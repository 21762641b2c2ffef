import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { probeImageSide, probeImages, probeTexts } from "./probes.js";

type Color = readonly [number, number, number];
interface Scene {
  readonly palette: readonly Color[];
  /** The index of the colour of a pixel. */
  readonly colorAt: (x: number, y: number) => number;
}

const isInDisc = (
  x: number,
  y: number,
  disc: { readonly x: number; readonly y: number; readonly r: number },
) => (x - disc.x) ** 2 + (y - disc.y) ** 2 < disc.r ** 2;
const isInSquare = (x: number, y: number) => x >= 40 && x < 216 && y >= 40 && y < 216;
const isInHouse = (x: number, y: number) => x >= 112 && x < 224 && y >= 112 && y < 192;
const sun = { x: 64, y: 64, r: 32 };
const shadow = { x: 80, y: 56, r: 32 };

const landscape = (isLight: (x: number, y: number) => boolean) => (x: number, y: number) => {
  if (isInHouse(x, y)) return 3;
  if (y >= 160) return 2;
  return isLight(x, y) ? 1 : 0;
};

const redOnWhite: readonly Color[] = [
  [255, 255, 255],
  [204, 0, 0],
];
const scenes: Readonly<Record<keyof typeof probeImages, Scene>> = {
  disc: {
    palette: redOnWhite,
    colorAt: (x, y) => Number(isInDisc(x, y, { x: 128, y: 128, r: 88 })),
  },
  square: { palette: redOnWhite, colorAt: (x, y) => Number(isInSquare(x, y)) },
  day: {
    palette: [
      [102, 178, 255],
      [255, 221, 51],
      [51, 153, 51],
      [204, 153, 102],
    ],
    colorAt: landscape((x, y) => isInDisc(x, y, sun)),
  },
  night: {
    palette: [
      [17, 17, 51],
      [238, 238, 221],
      [17, 51, 17],
      [68, 51, 34],
    ],
    colorAt: landscape((x, y) => isInDisc(x, y, sun) && !isInDisc(x, y, shadow)),
  },
};

test("no two texts are equal", () => {
  expect(new Set(probeTexts).size).toBe(16);
});

test.each(Object.entries(probeImages))(
  "the image '%s' is small, and has exactly these pixels",
  (name, base64) => {
    const bytes = Buffer.from(base64, "base64");
    const scene = scenes[name as keyof typeof probeImages];

    expect(bytes.length).toBeLessThan(500);
    expect(bytes.toString("base64")).toBe(base64);
    const { palette, rows } = readPng(bytes);
    expect(palette).toEqual(scene.palette.flat());
    expect(rows).toEqual(
      Array.from({ length: probeImageSide }, (_, y) =>
        Array.from({ length: probeImageSide }, (_, x) => scene.colorAt(x, y)).join(""),
      ),
    );
  },
);

/** A PNG of at most four colours, as its palette and one text of digits for each row. */
function readPng(bytes: Buffer) {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12)
    chunks.set(
      bytes.toString("latin1", at + 4, at + 8),
      bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)),
    );
  const header = chunks.get("IHDR") ?? Buffer.alloc(13);
  expect([header.readUInt32BE(0), header.readUInt32BE(4)]).toEqual([probeImageSide, probeImageSide]);
  const depth = header[8] ?? 0;
  const rowBytes = (probeImageSide * depth) / 8;
  const lines = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  const rows: string[] = [];
  let above = Buffer.alloc(rowBytes);
  for (let start = 0; start < lines.length; start += rowBytes + 1) {
    const isDifference = lines[start] === 2;
    const packed = lines.subarray(start + 1, start + 1 + rowBytes);
    above = Buffer.from(packed.map((byte, at) => (isDifference ? (byte + (above[at] ?? 0)) & 255 : byte)));
    rows.push([...above].map((byte) => byte.toString(2 ** depth).padStart(8 / depth, "0")).join(""));
  }
  return { palette: [...(chunks.get("PLTE") ?? [])], rows };
}
