import { expect, test } from "vitest";
import { isOpenedHere, wasOpenedFrom } from "./sheet.js";

test("a sheet that was opened from its list is closed by going back", () => {
  expect(wasOpenedFrom("#/keys?search=a", { from: "#/keys?search=a" })).toBe(true);
});

test("a sheet that a link or another page led to is taken out of the address", () => {
  expect(wasOpenedFrom("#/keys", null)).toBe(false);
  expect(wasOpenedFrom("#/keys", { from: "#/" })).toBe(false);
  expect(wasOpenedFrom("#/keys", { from: "#/keys?search=a" })).toBe(false);
});

test("an address that was typed, or that a link elsewhere led to, was not opened here", () => {
  expect([null, undefined, {}, { from: "#/models" }].map(isOpenedHere)).toEqual([false, false, false, true]);
});
