import { fieldMapSchema } from "@model-gateway/domain/field-map";
import { imageInMemory } from "@model-gateway/domain/image-input";
import { expect, test } from "vitest";
import { fieldMapOf, fieldMapsSetting, traitsOfFields } from "./field-map.js";
import { checkRequest, modelInput } from "./model-input.js";

const facts = { fields: fieldMapSchema.parse({ size: "aspect_ratio", n: "count", maxN: 3 }) };

test("the operator's fields replace the known ones, and an unknown model takes a prompt alone", () => {
  const settings = { models: { "a/own": { seed: "seed" } } };

  expect(fieldMapOf({ name: "a/other", facts, settings })).toMatchObject({
    size: "aspect_ratio",
    n: "count",
    maxN: 3,
  });
  expect(fieldMapOf({ name: "a/own", facts, settings })).toEqual(fieldMapSchema.parse({ seed: "seed" }));
  expect(fieldMapOf({ name: "b/other", settings })).toEqual(fieldMapSchema.parse({}));
  // Settings that are not checked yet.
  expect(fieldMapOf({ name: "a/own", facts, settings: { models: { "a/own": { seed: 7 } } } })).toMatchObject({
    n: "count",
  });
  expect(fieldMapOf({ name: "a/own", facts })).toMatchObject({ n: "count" });
});

test("a profile accepts options that have a field, and no others", () => {
  const fields = fieldMapSchema.parse({
    size: "image_size",
    image: "image_urls",
    maxImages: 3,
    mask: "mask_url",
    seed: "seed",
    outputFormat: "format",
    outputFormats: { jpeg: "jpg", png: "png" },
  });

  expect(traitsOfFields("host m", fields)).toMatchObject({
    mask: "white",
    profile: {
      name: "host m",
      parameters: ["size", "seed", "output_format"],
      sizes: ["auto", "WIDTHxHEIGHT"],
      outputFormats: ["jpeg", "png"],
      maxN: 1,
      edits: true,
      onlyEdits: false,
      mask: true,
      maxImages: 3,
    },
  });
  expect(traitsOfFields("host m", fieldMapSchema.parse({}))).toEqual({
    profile: expect.objectContaining({ parameters: [], sizes: ["auto"], edits: false, mask: false, maxN: 1 }),
  });
});

test.each([
  ["aspect_ratio", { aspect_ratio: "16:9" }],
  ["width_height", { width: 1920, height: 1080 }],
  ["image_size", { image_size: { width: 1920, height: 1080 } }],
  ["size", { size: "1920x1080" }],
  [undefined, {}],
])("a size is sent as %s", (size, sent) => {
  const fields = fieldMapSchema.parse({ size, input: { steps: 4 } });
  const link = () => "";

  expect(modelInput({ prompt: "a", size: "1920x1080" }, fields, link)).toEqual({
    steps: 4,
    prompt: "a",
    ...sent,
  });
  expect(modelInput({ prompt: "a", size: "auto" }, fields, link)).toEqual({ steps: 4, prompt: "a" });
});

test("all other options are sent in the model's words", () => {
  const [image, mask] = [imageInMemory(Buffer.from("i"), "png"), imageInMemory(Buffer.from("m"), "png")];
  const fields = fieldMapSchema.parse({
    n: "count",
    seed: "noise",
    negativePrompt: "without",
    outputFormat: "format",
    outputFormats: { jpeg: "jpg" },
    image: "picture",
    mask: "area",
  });
  const request = { prompt: "a", n: 2, seed: 0, negative_prompt: "rain", images: [image] as const, mask };

  expect(modelInput(request, fields, (one) => (one === mask ? "link-m" : "link-i"))).toEqual({
    prompt: "a",
    count: 2,
    noise: 0,
    without: "rain",
    format: "jpg",
    picture: "link-i",
    area: "link-m",
  });
  expect(modelInput({ prompt: "a" }, fields, () => "")).toEqual({ prompt: "a", count: 1, format: "jpg" });
});

test("a model that only edits needs an image, and a mask where it has a field for one", () => {
  const images = [imageInMemory(Buffer.from("i"), "png")] as const;
  const fill = fieldMapSchema.parse({ image: "image", mask: "mask", onlyEdits: true });

  expect(() => checkRequest({ prompt: "a" }, fill)).toThrow(
    expect.objectContaining({ code: "unsupported_operation", param: "model" }),
  );
  expect(() => checkRequest({ prompt: "a", images }, fill)).toThrow(
    expect.objectContaining({ code: "missing_required_parameter", param: "mask" }),
  );
  expect(traitsOfFields("host m", fill)).toMatchObject({ profile: { edits: true, onlyEdits: true } });
  checkRequest({ prompt: "a", images }, fieldMapSchema.parse({ image: "image", onlyEdits: true }));
});

test("a field that no model can have is refused", () => {
  expect(fieldMapsSetting.safeParse({ m: { seed: "a b" } }).success).toBe(false);
  expect(fieldMapsSetting.safeParse({ m: { sede: "seed" } }).success).toBe(false);
  expect(fieldMapsSetting.safeParse({ m: { maxN: 11 } }).success).toBe(false);
  expect(fieldMapsSetting.safeParse({ m: { onlyEdits: true } }).success).toBe(false);
});
