import { expect, test } from "vitest";
import { sizeFault } from "./size-field.js";

const sizes = ["auto", "1024x1024", "1536x1024", "WIDTHxHEIGHT"];

test.each(["", " ", "auto", "1024x1024", " 640x480 "])("%j is a size", (size) => {
  expect(sizeFault(size, sizes)).toBeUndefined();
});

test.each(["big", "1024", "1024 x 1024", "0x10", "1024×1024", "WIDTH"])("%s is none", (size) => {
  expect(sizeFault(size, sizes)).toBe(
    `${size} is not a size. Width x height in pixels, such as 1024x1024 or 1536x1024, or auto.`,
  );
});

test("a model without named sizes has an example", () => {
  expect(sizeFault("big", ["WIDTHxHEIGHT"])).toBe(
    "big is not a size. Width x height in pixels, such as 1024x1024, or auto.",
  );
});
