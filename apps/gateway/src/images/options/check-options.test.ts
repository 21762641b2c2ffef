import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import { expect, test } from "vitest";
import { checkOptions } from "./check-options.js";

const sketch: ImageProfile = imageProfiles.sketch;
const { sides: _sides, ...unbounded } = sketch;
const check = (options: object, profile: ImageProfile = sketch) =>
  checkOptions({ prompt: "a", ...options }, profile);

test("a free size may reach the smallest and the largest side", () => {
  const { min, max } = sketch.sides ?? expect.fail("A sketch has sides.");

  expect(() => check({ size: `${min}x${max}` })).not.toThrow();
  expect(() => check({ size: `${max}x${min}` })).not.toThrow();
  for (const size of [`${min - 1}x${max}`, `${min}x${max + 1}`, `${max + 1}x${min}`, `${max}x${min - 1}`])
    expect(() => check({ size })).toThrow(
      `Unsupported value: 'size' does not support '${size}' with this model. Width and height must be between ${min} and ${max} pixels.`,
    );
});

test("a model without bounds takes any size", () => {
  expect(() => check({ size: "1x99999" }, unbounded)).not.toThrow();
});

test("a prompt may have the longest length of its model", () => {
  const profile = { ...sketch, maxPromptLength: 5 };

  expect(() => check({ prompt: "abcde" }, profile)).not.toThrow();
  expect(() => check({ prompt: "abcdef" }, profile)).toThrow(
    expect.objectContaining({ code: "string_above_max_length", param: "prompt" }),
  );
});

test("only a model that keeps content credentials gives them as the reason", () => {
  const lossy = { ...sketch, outputFormats: ["jpeg"] as const };
  const keeping = { ...lossy, keepsCredentials: true as const };
  const messageOf = (options: object, profile: ImageProfile) => {
    try {
      check(options, profile);
      return undefined;
    } catch (failure) {
      return String(failure);
    }
  };

  expect(messageOf({ output_format: "webp" }, keeping)).toMatch(/jpeg'\. A conversion would remove content/);
  expect(messageOf({ output_format: "gif" }, lossy)).toMatch(/'\.$/);
  expect(messageOf({}, keeping)).toBeUndefined();
});
