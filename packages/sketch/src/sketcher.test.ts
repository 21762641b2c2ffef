import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { SketchOptions } from "./sketch-options.js";
import { createSketcher } from "./sketcher.js";

const sketcher = createSketcher();
const plain: SketchOptions = {
  prompt: "a fox in the forest",
  width: 160,
  height: 120,
  background: "opaque",
  format: "png",
  quality: "medium",
  index: 0,
};

test.each(["png", "jpeg", "webp"] as const)(
  "a %s has the requested format and exactly the requested size",
  async (format) => {
    const sizes = [
      [16, 16],
      [333, 17],
      [16, 401],
      [641, 480],
    ] as const;

    const images = await Promise.all(
      sizes.map(([width, height]) => sketcher.createImage({ ...plain, width, height, format })),
    );

    const found = await Promise.all(images.map((image) => sharp(image).metadata()));
    expect(found.map(({ format: written, width, height }) => [written, width, height])).toEqual(
      sizes.map(([width, height]) => [format, width, height]),
    );
  },
);

test.each(["png", "webp"] as const)("a transparent %s has clear and solid pixels", async (format) => {
  for (const prompt of ["a fox", "sunset over the sea", "wörter ohne bild"]) {
    const image = await sketcher.createImage({ ...plain, prompt, format, background: "transparent" });

    const alpha = await sharp(image).extractChannel("alpha").raw().toBuffer();
    expect([alpha.includes(0), alpha.includes(255)]).toEqual([true, true]);
  }
});

test("an opaque image has no transparent pixel", async () => {
  for (const format of ["png", "webp"] as const) {
    const image = await sketcher.createImage({ ...plain, format });

    const { isOpaque } = await sharp(image).stats();
    expect(isOpaque).toBe(true);
  }
});

test("the same options give the same bytes, from any sketcher", async () => {
  const [one, again, other] = [
    await sketcher.createImage(plain),
    await sketcher.createImage(plain),
    await createSketcher().createImage(plain),
  ];

  expect([one.equals(again), one.equals(other)]).toEqual([true, true]);
});

test("every prompt, in any language, and every index has its own image", async () => {
  const prompts = ["a fox", "a dog", "two dogs", "a dog at night", "лиса", "狐", "zorp", "", "🦊🦊"];

  const byPrompt = await Promise.all(prompts.map((prompt) => sketcher.createImage({ ...plain, prompt })));
  const byIndex = await Promise.all([1, 2, 3].map((index) => sketcher.createImage({ ...plain, index })));

  const distinct = new Set([...byPrompt, ...byIndex].map((image) => image.toString("base64")));
  expect(distinct.size).toBe(12);
});

test("higher quality shows more detail", async () => {
  const qualities = ["low", "medium", "high"] as const;

  const images = await Promise.all(
    qualities.map((quality) => sketcher.createImage({ ...plain, width: 512, height: 512, quality })),
  );

  const [low = 0, medium = 0, high = 0] = images.map((image) => image.length);
  expect([low < medium, medium < high]).toEqual([true, true]);
});

test.each(["jpeg", "webp"] as const)(
  "less compression makes a larger %s, and 0 is allowed",
  async (format) => {
    const images = await Promise.all(
      [0, 50, 100].map((compression) => sketcher.createImage({ ...plain, format, compression })),
    );
    const unset = await sketcher.createImage({ ...plain, format });

    const [worst = 0, middle = 0, best = 0] = images.map((image) => image.length);
    expect([worst < middle, middle < best, unset.length === best]).toEqual([true, true, true]);
  },
);

test("a png does not depend on compression", async () => {
  const [loose, tight] = [
    await sketcher.createImage(plain),
    await sketcher.createImage({ ...plain, compression: 10 }),
  ];

  expect(tight.equals(loose)).toBe(true);
});

test.each(["opaque", "transparent"] as const)(
  "an %s svg is the drawing that the other formats show",
  async (background) => {
    const svg = await sketcher.createImage({ ...plain, background, format: "svg" });
    const png = await sketcher.createImage({ ...plain, background, format: "png" });

    expect(svg.toString()).toMatch(/^<svg [^>]*width="\d+" height="\d+"/);
    const drawn = sharp(svg);
    const pixels = await (background === "opaque" ? drawn.removeAlpha() : drawn).raw().toBuffer();
    expect(pixels.equals(await sharp(png).raw().toBuffer())).toBe(true);
  },
);

describe("a sketch that cannot be drawn as asked is refused", () => {
  test.each([
    [{ width: 15 }, "width must be a whole number from 16 to 4096, not 15."],
    [{ height: 4097 }, "height must be a whole number from 16 to 4096, not 4097."],
    [{ width: 20.5 }, "width must be a whole number from 16 to 4096, not 20.5."],
    [{ compression: 101 }, "compression must be a whole number from 0 to 100, not 101."],
    [{ index: -1 }, "index must be a whole number from 0 to 9007199254740991, not -1."],
    [{ format: "jpeg", background: "transparent" }, "A jpeg cannot be transparent: use png or webp."],
  ] as const)("%j", async (change, message) => {
    await expect(sketcher.createImage({ ...plain, ...change })).rejects.toThrow(new RangeError(message));
  });
});

test("an aborted call rejects with the signal's reason", async () => {
  const reason = new Error("the caller hung up");

  await expect(sketcher.createImage(plain, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("a call aborted while the drawings are read rejects with the signal's reason", async () => {
  const reason = new Error("the caller hung up");
  const controller = new AbortController();

  const image = createSketcher().createImage(plain, controller.signal);
  controller.abort(reason);

  await expect(image).rejects.toBe(reason);
});
