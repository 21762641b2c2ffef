import { expect, test } from "vitest";
import { wasOpenedFrom } from "./sheet.js";

test("a sheet that was opened from its list is closed by going back", () => {
  expect(wasOpenedFrom("#/keys?search=a", { from: "#/keys?search=a" })).toBe(true);
});

test("a sheet that a link or another page led to is taken out of the address", () => {
  expect(wasOpenedFrom("#/keys", null)).toBe(false);
  expect(wasOpenedFrom("#/keys", { from: "#/" })).toBe(false);
  expect(wasOpenedFrom("#/keys", { from: "#/keys?search=a" })).toBe(false);
});
