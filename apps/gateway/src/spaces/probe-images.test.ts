import { defaultInputImageLimits } from "@model-gateway/domain/content-input";
import { readImageHeader } from "@model-gateway/domain/image-input";
import { expect, test } from "vitest";
import { probeImagesFor } from "./probe-images.js";

const countFor = (limits?: Partial<typeof defaultInputImageLimits>) =>
  probeImagesFor(limits === undefined ? {} : { inputImages: { ...defaultInputImageLimits, ...limits } })
    .length;

test("a target embeds all images, or none if it does not take them", () => {
  expect(countFor({})).toBe(4);
  expect(countFor()).toBe(0);
  expect(countFor({ imageTypes: ["jpeg"] })).toBe(0);
  expect(countFor({ maxImageBytes: 100 })).toBe(0);
});

test("the images are what they say, and differ", async () => {
  const inputs = probeImagesFor({ inputImages: defaultInputImageLimits });

  expect(new Set(inputs.map(({ digest }) => digest)).size).toBe(inputs.length);
  for (const { parts, imageCount, contentBytes } of inputs) {
    const [part] = parts;
    if (part.type !== "image") throw new Error("A probe is an image.");
    expect([parts.length, imageCount, contentBytes]).toEqual([1, 1, part.image.bytes]);
    const { width, height } = part.image;
    expect(await readImageHeader(part.image)).toMatchObject({ width, height });
  }
});
