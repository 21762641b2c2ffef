import {
  type ContentInput,
  defaultInputImageLimits,
  type InputImageLimits,
  imagesOf,
} from "@model-gateway/domain/content-input";
import { imageInMemory } from "@model-gateway/domain/image-input";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import { expect, test } from "vitest";
import { createNoise, createSolid, tinyPng } from "../../test/fake-upstream/sample-images.mjs";
import { createContentConverter } from "./convert-content.js";
import { ImageDecoder } from "./delivery/image-decoder.js";

const convertFor = createContentConverter(new ImageDecoder());
const convert = (input: ContentInput, limits: InputImageLimits) => convertFor(input, limits, "key");

function inputOf(content: Buffer, format: RasterFormat): ContentInput {
  const image = { ...imageInMemory(content, format), width: 1, height: 1 };
  return {
    parts: [
      { type: "text", text: "a" },
      { type: "image", image },
    ],
    digest: "digest",
    imageCount: 1,
    contentBytes: content.length,
  };
}

const only = (imageTypes: readonly RasterFormat[], maxImageBytes = 10_000_000) => ({
  ...defaultInputImageLimits,
  imageTypes,
  maxImageBytes,
});

test("an image that the model takes is not touched", () => {
  expect(convert(inputOf(tinyPng, "png"), only(["jpeg", "png"]))).toBeUndefined();
});

test("another becomes a PNG of the same size, under the same digest", async () => {
  const webp = await createSolid({ size: "30x20", output_format: "webp" });

  const converted = await convert(inputOf(webp, "webp"), only(["jpeg", "png"]));

  const [image] = converted === undefined ? [] : imagesOf(converted);
  expect(image).toMatchObject({ format: "png", width: 30, height: 20 });
  expect(converted).toMatchObject({ digest: "digest", imageCount: 1, contentBytes: image?.bytes });
  expect((await image?.read())?.subarray(1, 4).toString()).toBe("PNG");
});

test("a PNG that would be too large becomes a JPEG, and one that fits nowhere is refused", async () => {
  const { default: sharp } = await import("sharp");
  const webp = await sharp(await createNoise(300_000))
    .webp({ quality: 10 })
    .toBuffer();
  const input = inputOf(webp, "webp");

  const converted = await convert(input, only(["jpeg", "png"], 150_000));

  expect(converted && imagesOf(converted)[0]?.format).toBe("jpeg");
  await expect(convert(input, only(["png"], 150_000))).rejects.toMatchObject({ code: "invalid_image_file" });
});

test("an image that cannot be decoded is the caller's fault", async () => {
  const broken = Buffer.concat([(await createSolid({ output_format: "webp" })).subarray(0, 40)]);

  await expect(convert(inputOf(broken, "webp"), only(["png"]))).rejects.toMatchObject({
    code: "invalid_image_file",
  });
});
