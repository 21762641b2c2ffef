import { customProfile } from "@model-gateway/config/kinds/image/custom-profile";
import { GatewayError } from "@model-gateway/domain/errors";
import { type ImageInput, imageInMemory } from "@model-gateway/domain/image-input";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import sharp from "sharp";
import { expect, test } from "vitest";
import { checkInputImages } from "./check-input-images.js";

const profile = imageProfiles["gpt-image"];

async function png(width: number, height: number, channels: 3 | 4 = 4): Promise<ImageInput> {
  const background = { r: 0, g: 0, b: 0, ...(channels === 4 && { alpha: 0 }) };
  const content = await sharp({ create: { width, height, channels, background } }).png().toBuffer();
  return imageInMemory(content, "png");
}

const edit = async (images: [ImageInput, ...ImageInput[]], mask?: ImageInput) =>
  checkInputImages({ prompt: "a fox", images, ...(mask && { mask }) }, profile);

test("a mask with the size of the first image passes, whatever the other images are", async () => {
  await edit([await png(40, 30), await png(8, 8)], await png(40, 30));
});

test.each([
  ["width", 41, 30],
  ["height", 40, 31],
])("a mask with another %s than the first image is refused", async (_name, width, height) => {
  const refusal = edit([await png(40, 30)], await png(width, height));

  await expect(refusal).rejects.toEqual(
    new GatewayError(
      "invalid_image_file",
      `Invalid image file 'mask': its size is ${width}x${height}, but the first image has 40x30.`,
      { param: "mask" },
    ),
  );
  await expect(refusal).rejects.toMatchObject({ status: 400, param: "mask" });
});

test("a mask without an alpha channel is refused", async () => {
  const refusal = edit([await png(40, 30)], await png(40, 30, 3));

  await expect(refusal).rejects.toMatchObject({ code: "invalid_image_file", param: "mask" });
});

test("a mask that is not a PNG is refused", async () => {
  const image = await png(40, 30);
  const mask = imageInMemory(
    await sharp(await image.read())
      .webp()
      .toBuffer(),
    "webp",
  );

  const refusal = edit([image], mask);

  await expect(refusal).rejects.toMatchObject({ code: "unsupported_file_mimetype", param: "mask" });
});

test("a model that takes no mask, or fewer images, refuses them by name", async () => {
  const [one, two] = [await png(8, 8), await png(8, 8)];

  const masked = checkInputImages(
    { prompt: "a fox", images: [one], mask: two },
    customProfile({ mask: false }, imageProfiles["gpt-image"]),
  );
  const crowded = checkInputImages(
    { prompt: "a fox", images: [one, two] },
    customProfile({ maxImages: 1 }, imageProfiles["gpt-image"]),
  );

  await expect(masked).rejects.toMatchObject({ code: "unsupported_parameter", param: "mask" });
  await expect(crowded).rejects.toMatchObject({ code: "array_above_max_length", param: "image" });
});

test("of several images, the truncated one is named", async () => {
  const good = await png(40, 30);
  const truncated = imageInMemory((await good.read()).subarray(0, -14), "png");

  const refusal = edit([good, truncated]);

  await expect(refusal).rejects.toMatchObject({ code: "invalid_image_file", param: "image[1]" });
});
