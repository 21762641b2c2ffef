import { imageInMemory } from "@model-gateway/domain/image-input";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import { expect, test } from "vitest";
import { checkCombinations } from "./check-combinations.js";

const profile = imageProfiles["gpt-image-2.5"];
const image = imageInMemory(Buffer.alloc(1), "png");
const create = (options: object) => () => checkCombinations({ prompt: "a", ...options }, profile);
const edit = (options: object) => create({ images: [image], ...options });

test.each([
  ["a transparent png", create({ background: "transparent", output_format: "png" })],
  ["a transparent webp", create({ background: "transparent", output_format: "webp" })],
  ["a png without compression", create({ output_format: "png" })],
  ["a png with all of its quality", create({ output_format: "png", output_compression: 100 })],
  ["a compressed jpeg", create({ output_format: "jpeg", output_compression: 0 })],
  ["one svg", create({ output_format: "svg", n: 1 })],
  ["an svg", create({ output_format: "svg" })],
  ["a gif of an image", edit({ output_format: "gif" })],
  ["a png with a mask", edit({ output_format: "png", mask: image })],
])("%s passes", (_name, check) => {
  expect(check).not.toThrow();
});

test.each([
  ["png", "is lossless"],
  ["gif", "has no compression level"],
  ["svg", "has no compression level"],
])("the compression of a %s is refused, since it %s", (format, reason) => {
  expect(create({ output_format: format, output_compression: 99 })).toThrow(
    `a ${format} image ${reason}; use jpeg or webp, or a value of 100`,
  );
});
