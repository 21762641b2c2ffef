import { crc32 } from "node:zlib";
import sharp, { type OutputInfo } from "sharp";
import { describe, expect, test } from "vitest";
import { UnreadableImageError } from "./image/image-file.js";
import { seedRandom } from "./random.js";
import type { SketchEdit } from "./sketch-options.js";
import { createSketcher } from "./sketcher.js";

const sketcher = createSketcher();
const plain: Omit<SketchEdit, "images"> = {
  prompt: "a fox",
  background: "opaque",
  format: "png",
  quality: "medium",
  index: 0,
};

test("without a mask the first image keeps its size and gets the subjects", async () => {
  const image = await flat(201, 99, "#3366cc");

  const before = await decoded(image);
  const after = await decoded(await sketcher.createImageEdit({ ...plain, images: [image] }));

  expect(after.info).toMatchObject({ width: 201, height: 99 });
  expect(changes(before.data, after.data)).toBeGreaterThan(500);
});

test("every image is used, with and without a mask", async () => {
  const first = await flat(200, 200, "#cccccc");
  const mask = await maskOf(200, 200, (x, y) => (x > 20 && x < 180 && y > 20 ? 0 : 255));
  const others = await Promise.all(Array.from({ length: 15 }, () => flat(64, 48, "#208040")));
  const changed = await flat(64, 48, "#d01010");

  for (const masked of [{}, { mask }]) {
    const edits = await Promise.all(
      [others, others.with(0, changed), others.with(14, changed), others.slice(1)].map((insets) =>
        sketcher.createImageEdit({ ...plain, ...masked, images: [first, ...insets] }),
      ),
    );

    expect(new Set(edits.map((edit) => edit.toString("base64"))).size).toBe(4);
  }
});

test("another size crops the image to it", async () => {
  const image = await flat(300, 100, "#3366cc");
  const mask = await maskOf(300, 100, (x) => (x > 100 && x < 200 ? 0 : 255));

  for (const masked of [{}, { mask }]) {
    const edited = await sketcher.createImageEdit({
      ...plain,
      ...masked,
      images: [image],
      width: 64,
      height: 128,
    });

    expect(await sharp(edited).metadata()).toMatchObject({ width: 64, height: 128 });
  }
});

test("an opaque edit of a transparent image shows a scene behind it, and a transparent one does not", async () => {
  const clear = await sharp({ create: { width: 90, height: 90, channels: 4, background: "#00000000" } })
    .png()
    .toBuffer();

  const opaque = await sketcher.createImageEdit({ ...plain, images: [clear] });
  const transparent = await sketcher.createImageEdit({
    ...plain,
    images: [clear],
    background: "transparent",
  });

  expect((await sharp(opaque).stats()).isOpaque).toBe(true);
  expect((await sharp(transparent).extractChannel("alpha").raw().toBuffer()).includes(0)).toBe(true);
});

test("a photo without a mask is rotated upright, and one with a mask stays as stored", async () => {
  const photo = await sharp({ create: { width: 80, height: 40, channels: 3, background: "#884422" } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const mask = await maskOf(80, 40, (x) => (x < 40 ? 0 : 255));

  const upright = await sketcher.createImageEdit({ ...plain, images: [photo] });
  const stored = await sketcher.createImageEdit({ ...plain, images: [photo], mask });

  expect(await sharp(upright).metadata()).toMatchObject({ width: 40, height: 80 });
  expect(await sharp(stored).metadata()).toMatchObject({ width: 80, height: 40 });
});

describe("with a mask only fully transparent pixels change", () => {
  const masks: Record<string, (x: number, y: number, roll: number) => number> = {
    "a block": (x, y) => (x > 30 && x < 90 && y > 10 && y < 70 ? 0 : 255),
    "random specks": (_x, _y, roll) => (roll < 0.5 ? 0 : 255),
    "every alpha there is": (_x, _y, roll) => Math.floor(roll * 8),
    "an L": (x, y) => (x < 20 || y > 70 ? 0 : 1),
    everything: () => 0,
    nothing: () => 1,
  };
  const prompts = ["a fox", "a penguin in the snow", "zorp", "blue"];

  test.each(Object.keys(masks))("%s", async (shape) => {
    const image = await noise(121, 83);
    const random = seedRandom(shape, 0)("mask");
    const mask = await maskOf(121, 83, (x, y) => masks[shape]!(x, y, random.next()));
    const holes = await sharp(mask).extractChannel("alpha").raw().toBuffer();
    const before = await decoded(image);

    for (const prompt of prompts) {
      for (const background of ["opaque", "transparent"] as const) {
        const after = await decoded(
          await sketcher.createImageEdit({ ...plain, prompt, background, images: [image], mask }),
        );

        const drawn = pixels(after.data);
        const touched = pixels(before.data).map((pixel, place) => (pixel === drawn[place] ? 0 : 1));
        const kept = touched.filter((_, place) => holes[place] !== 0);
        const redrawn = touched.filter((_, place) => holes[place] === 0);
        expect(kept.includes(1)).toBe(false);
        expect(redrawn.filter((changed) => changed === 1).length).toBeGreaterThanOrEqual(
          redrawn.length * 0.9,
        );
      }
    }
  });

  test("a sky goes on behind the drawing, without a ring where the hole begins", async () => {
    const image = await gradient(200, 200, [
      [32, 96, 192],
      [224, 232, 255],
    ]);
    const mask = await maskOf(200, 200, (x, y) => (Math.hypot(x - 100, y - 100) < 70 ? 0 : 255));

    const after = await decoded(await sketcher.createImageEdit({ ...plain, images: [image], mask }));

    const before = await decoded(image);
    // The fox stands in the middle. These are inside the hole, where its edge is farthest from it.
    const edge = [60, 64, 68].flatMap((reach) => [
      [100 - reach, 100],
      [100 + reach, 100],
      [100, 100 - reach],
    ]) as [number, number][];
    for (const [x, y] of edge)
      expect(difference(before.data, after.data, (y * 200 + x) * 4)).toBeLessThanOrEqual(4);
    expect(changes(before.data, after.data)).toBeGreaterThan(1000);
  });

  test("a hole over the whole width is filled with the colours above and below", async () => {
    const image = await gradient(60, 120, [
      [0, 0, 0],
      [240, 240, 240],
    ]);
    const mask = await maskOf(60, 120, (_x, y) => (y >= 40 && y < 80 ? 0 : 255));

    const after = await decoded(await sketcher.createImageEdit({ ...plain, images: [image], mask }));

    const before = await decoded(image);
    for (const row of [41, 60, 78])
      expect(difference(before.data, after.data, row * 60 * 4)).toBeLessThanOrEqual(6);
  });

  test("grey, palette and 16-bit images are kept", async () => {
    const grey = sharp(await noise(64, 64))
      .removeAlpha()
      .toColourspace("b-w");
    const images = [
      await grey.clone().png().toBuffer(),
      await sharp(await noise(64, 64))
        .png({ palette: true })
        .toBuffer(),
      await sharp(await noise(64, 64))
        .toColourspace("rgb16")
        .png()
        .toBuffer(),
    ];
    const mask = await maskOf(64, 64, (x) => (x < 32 ? 0 : 255));

    for (const image of images) {
      const after = await decoded(await sketcher.createImageEdit({ ...plain, images: [image], mask }));

      const before = await decoded(image);
      const right = (data: Buffer): number[] => [...pixels(data)].filter((_, place) => place % 64 >= 32);
      expect(right(after.data)).toEqual(right(before.data));
    }
  });
});

describe("an input that cannot be used is refused by name", () => {
  const small = flat(32, 32, "#ffffff");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>');

  test("a file that is not an image", async () => {
    const images = [await small, Buffer.from("not an image")];

    await expect(sketcher.createImageEdit({ ...plain, images })).rejects.toThrow(
      new UnreadableImageError("image[1]", "is not a png, jpeg or webp image."),
    );
  });

  test("a truncated image", async () => {
    const whole = await noise(64, 64);

    await expect(sketcher.createImageEdit({ ...plain, images: [whole.subarray(0, 2000)] })).rejects.toThrow(
      new UnreadableImageError("image[0]", "is damaged: it cannot be decoded."),
    );
  });

  test("a vector image", async () => {
    await expect(sketcher.createImageEdit({ ...plain, images: [svg] })).rejects.toThrow(
      new UnreadableImageError("image[0]", "is not a png, jpeg or webp image."),
    );
  });

  test("an image with too many pixels", async () => {
    const huge = await flat(1, 1, "#ffffff");
    claimSize(huge, 8192, 4097);

    await expect(sketcher.createImageEdit({ ...plain, images: [huge] })).rejects.toThrow(
      new UnreadableImageError("image[0]", "has more than 33554432 pixels."),
    );
  });

  test("a mask of another size, without alpha, or that is not an image", async () => {
    const images = [await small];
    const edit = (mask: Buffer): Promise<Buffer> => sketcher.createImageEdit({ ...plain, images, mask });

    await expect(edit(await maskOf(32, 31, () => 0))).rejects.toThrow(
      new UnreadableImageError("mask", "must have the size of image[0]: it is 32x31, and image[0] is 32x32."),
    );
    await expect(edit(await small)).rejects.toThrow(
      new UnreadableImageError("mask", "has no alpha channel: make the part to change transparent."),
    );
    await expect(edit(Buffer.alloc(0))).rejects.toThrow(
      new UnreadableImageError("mask", "is not a png, jpeg or webp image."),
    );
  });

  test("no image at all", async () => {
    await expect(sketcher.createImageEdit({ ...plain, images: [] })).rejects.toThrow(RangeError);
  });
});

test("an aborted edit rejects with the signal's reason", async () => {
  const reason = new Error("the caller hung up");
  const images = [await flat(32, 32, "#ffffff")];

  await expect(sketcher.createImageEdit({ ...plain, images }, AbortSignal.abort(reason))).rejects.toBe(
    reason,
  );
});

test("the same edit gives the same bytes", async () => {
  const images = [await noise(60, 60), await noise(40, 40)];
  const mask = await maskOf(60, 60, (x) => (x < 30 ? 0 : 255));

  for (const masked of [{}, { mask }]) {
    const [one, again] = [
      await sketcher.createImageEdit({ ...plain, ...masked, images }),
      await sketcher.createImageEdit({ ...plain, ...masked, images }),
    ];

    expect(one.equals(again)).toBe(true);
  }
});

function flat(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Changes the size in a png's header, which is its first chunk. */
function claimSize(png: Buffer, width: number, height: number): void {
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
}

/** From one colour at the top to another at the bottom, as a sky. */
function gradient(width: number, height: number, [from, to]: readonly [number[], number[]]): Promise<Buffer> {
  const rows = Array.from({ length: height }, (_, row) =>
    from.map((part, channel) => Math.round(part + ((to[channel]! - part) * row) / (height - 1))),
  );
  return sharp(Buffer.from(rows.flat()), { raw: { width: 1, height, channels: 3 } })
    .resize({ width, height, fit: "fill", kernel: "nearest" })
    .png()
    .toBuffer();
}

/** Random colours with every degree of transparency, the hardest image to preserve. */
function noise(width: number, height: number): Promise<Buffer> {
  const random = seedRandom("noise", width)("pixels");
  const data = Buffer.from(Array.from({ length: width * height * 4 }, () => random.whole(0, 255)));
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

function maskOf(width: number, height: number, alpha: (x: number, y: number) => number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 4);
  for (let place = 0; place < width * height; place++)
    data[place * 4 + 3] = alpha(place % width, Math.floor(place / width));
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

function decoded(image: Buffer): Promise<{ data: Buffer; info: OutputInfo }> {
  return sharp(image).toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
}

function pixels(data: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(data).buffer);
}

/** The largest difference between two pixels in one of their colours. */
function difference(before: Buffer, after: Buffer, place: number): number {
  return Math.max(
    ...[0, 1, 2].map((channel) => Math.abs(before[place + channel]! - after[place + channel]!)),
  );
}

function changes(before: Buffer, after: Buffer): number {
  const drawn = pixels(after);
  return pixels(before).filter((pixel, place) => pixel !== drawn[place]).length;
}
