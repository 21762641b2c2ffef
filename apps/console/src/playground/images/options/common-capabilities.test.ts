import { expect, test } from "vitest";
import type { Schemas } from "../../../operations/schemas.js";
import { commonCapabilities, hiddenFormats } from "./common-capabilities.js";

const fixed: Schemas["ImageCapabilities"] = {
  sizes: ["auto", "512x512", "1024x1024"],
  qualities: ["auto", "standard"],
  backgrounds: ["auto"],
  output_formats: ["png"],
  response_formats: ["url", "b64_json"],
  max_n: 4,
  edits: true,
  mask: false,
  markup: false,
  max_images: 1,
  streaming: false,
  parameters: ["n", "size"],
};
const free: Schemas["ImageCapabilities"] = {
  sizes: ["auto", "1536x1024", "WIDTHxHEIGHT"],
  qualities: ["auto", "low", "high"],
  backgrounds: ["auto", "transparent"],
  output_formats: ["png", "webp", "svg"],
  response_formats: ["b64_json"],
  max_n: 10,
  edits: true,
  mask: true,
  markup: false,
  max_images: 16,
  streaming: true,
  parameters: ["n", "size", "quality"],
};

test("several models share the options that each of them takes", () => {
  expect(commonCapabilities([fixed, free])).toEqual({
    // A model that takes any size takes the named ones of the other.
    sizes: ["auto", "512x512", "1024x1024"],
    qualities: ["auto"],
    backgrounds: ["auto"],
    output_formats: ["png"],
    response_formats: ["b64_json"],
    max_n: 4,
    edits: true,
    mask: false,
    markup: false,
    max_images: 1,
    streaming: true,
    parameters: ["n", "size"],
  });
});

test("a single model keeps its options, without the formats that the page cannot show", () => {
  expect(commonCapabilities([free])).toEqual({ ...free, output_formats: ["png", "webp"] });
  expect(hiddenFormats([fixed, free])).toEqual(["svg"]);
});
