import { defaultInputImageLimits, type InputImageLimits } from "@model-gateway/domain/content-input";
import { expect, test } from "vitest";
import { commonInputImages } from "./input-images.js";

const few: InputImageLimits = {
  ...defaultInputImageLimits,
  maxInputs: 1,
  maxImagesPerInput: 20,
  maxImagesPerRequest: 3,
  maxImageBytes: 4000,
  maxImageBytesPerRequest: 50,
  imageTypes: ["png", "webp"],
  mixesParts: true,
};
const many: InputImageLimits = {
  ...defaultInputImageLimits,
  maxInputs: 10,
  maxImagesPerInput: 2,
  maxImagesPerRequest: 30,
  maxImageBytes: 400,
  maxImageBytesPerRequest: 5000,
  imageTypes: ["jpeg", "png"],
  mixesParts: false,
};

test("a model takes the images that each of its targets takes", () => {
  const common = {
    ...defaultInputImageLimits,
    maxInputs: 1,
    maxImagesPerInput: 2,
    maxImagesPerRequest: 3,
    maxImageBytes: 400,
    maxImageBytesPerRequest: 50,
    imageTypes: ["png"],
    mixesParts: false,
  };

  for (const targets of [
    [few, many],
    [many, few],
  ])
    expect(commonInputImages(targets.map((inputImages) => ({ inputImages })))).toEqual(common);
});

test("a target that takes no images does not count, since it gets none", () => {
  expect(commonInputImages([{}, { inputImages: few }])).toEqual(few);
  expect(commonInputImages([{}])).toBeUndefined();
});
