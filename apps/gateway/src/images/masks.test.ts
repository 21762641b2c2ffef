import { randomBytes } from "node:crypto";
import { GatewayError } from "@model-gateway/domain/errors";
import { imageInMemory } from "@model-gateway/domain/image-input";
import type { MaskForm } from "@model-gateway/domain/image-profile";
import type { ImageTarget } from "@model-gateway/domain/model";
import sharp from "sharp";
import { expect, test } from "vitest";
import { ImageDecoder } from "./delivery/image-decoder.js";
import { convertMask, type EncodeMask, withMaskFor } from "./masks.js";
import { maskPng, type TransparentPng } from "./test/mask-png.js";

const decoder = new ImageDecoder();
const encode: EncodeMask = (mask, form) => decoder.encodeMask(mask, form, "key");

function target(mask?: MaskForm): ImageTarget {
  return { upstream: "u", model: "m", weight: 1, tier: 0, capacity: {}, ...(mask && { mask }) };
}

/** The mask that a target of this form gets. */
async function converted(content: Buffer, form: MaskForm): Promise<Buffer> {
  const mask = imageInMemory(content, "png");
  const masks = await convertMask(mask, [target(form)], encode);
  const request = withMaskFor({ prompt: "a fox", mask }, target(form), masks);
  return request.mask.read();
}

async function pixelsOf(content: Buffer): Promise<number[]> {
  const { data, info } = await sharp(content)
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(1);
  return [...data];
}

const alphas = [0, 1, 127, 128, 254, 255, 0, 255];
const types: readonly TransparentPng[] = ["rgba8", "rgba16", "grey-alpha8", "grey-alpha16", "palette"];

test.each(
  types.flatMap((type) => [
    [type, "white", [255, 255, 255, 0, 0, 0, 255, 0]] as const,
    [type, "black", [0, 0, 0, 255, 255, 255, 0, 255]] as const,
    [type, "grey", [255, 254, 128, 127, 1, 0, 255, 0]] as const,
  ]),
)("the transparency of a %s mask becomes %s, pixel by pixel", async (type, form, pixels) => {
  expect(await pixelsOf(await converted(maskPng(type, alphas), form))).toEqual(pixels);
});

test("a colour that is declared transparent is edited", async () => {
  const mask = maskPng("colour-key", [0, 255, 255, 0]);

  expect(await pixelsOf(await converted(mask, "white"))).toEqual([255, 0, 0, 255]);
});

test("a converted mask is an 8-bit greyscale PNG without transparency, of the same size", async () => {
  const width = 37;
  const height = 21;
  const pixels = Buffer.from(
    Array.from({ length: width * height }, (_pixel, at) => [9, 9, 9, at % 5 === 0 ? 0 : 255]).flat(),
  );
  const mask = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

  const content = await converted(mask, "white");

  expect(await sharp(content).metadata()).toMatchObject({
    format: "png",
    width,
    height,
    channels: 1,
    depth: "uchar",
    hasAlpha: false,
  });
  expect(await pixelsOf(content)).toEqual(
    Array.from({ length: width * height }, (_pixel, at) => (at % 5 === 0 ? 255 : 0)),
  );
});

test("a target with OpenAI's form gets the caller's own bytes", async () => {
  const mask = maskPng("rgba16", alphas);

  expect(await converted(mask, "alpha")).toBe(mask);
});

test("a mask is decoded once for each form, whatever the number of targets", async () => {
  const forms: string[] = [];
  const counting: EncodeMask = async (_mask, form) => {
    forms.push(form);
    return Buffer.from(form);
  };
  const targets = [target("white"), target("alpha"), target("white"), target("black"), target()];
  const mask = imageInMemory(maskPng("rgba8", alphas), "png");

  const masks = await convertMask(mask, targets, counting);

  expect(forms).toEqual(["white", "black"]);
  expect([...masks.keys()]).toEqual(["alpha", "white", "black"]);
});

test("a target that takes no mask never gets one", () => {
  const mask = imageInMemory(maskPng("rgba8", alphas), "png");

  expect(() => withMaskFor({ prompt: "a fox", mask }, target(), new Map([["alpha", mask]]))).toThrow(
    new GatewayError(
      "unsupported_parameter",
      "Unsupported parameter: 'mask' is not supported with this model.",
      { param: "mask" },
    ),
  );
  expect(withMaskFor({ prompt: "a fox" }, target(), undefined)).toEqual({ prompt: "a fox" });
});

test("a mask that cannot be decoded is refused by name", async () => {
  const whole = maskPng("rgba8", Array<number>(4000).fill(0));
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, 45, 60);

  const refusal = converted(damaged, "white");

  await expect(refusal).rejects.toMatchObject({ code: "invalid_image_file", param: "mask" });
});

test("at most two masks are in memory at once, and the others wait on disk", async () => {
  const content = maskPng("rgba8", alphas);
  let reading = 0;
  let most = 0;
  const slow = {
    ...imageInMemory(content, "png"),
    read: async () => {
      reading += 1;
      most = Math.max(most, reading);
      // Every read that is allowed to begin has begun by then.
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return content;
    },
  };

  const masks = await Promise.all(
    Array.from({ length: 6 }, () => convertMask(slow, [target("white")], encode)),
  );

  expect(most).toBe(2);
  expect(masks.map((one) => one.has("white"))).toEqual(Array<boolean>(6).fill(true));
});

test("a mask with more compressed text than is safe to unpack is refused by name", async () => {
  const text = await sharp(maskPng("rgba8", alphas))
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${randomBytes(300_000).toString("hex")}</x:xmpmeta>`)
    .png()
    .toBuffer();

  await expect(converted(text, "white")).rejects.toMatchObject({
    code: "invalid_image_file",
    param: "mask",
    cause: expect.objectContaining({
      message: "The image cannot be decoded: it has too much compressed text.",
    }),
  });
});
