import { expect, test } from "vitest";
import { mayCall } from "./may-call.js";

test("without patterns a key may call every model", () => {
  expect(mayCall({}, "anything")).toBe(true);
});

test.each([
  { pattern: "gte-small", may: ["gte-small"], mayNot: ["gte-smal", "gte-small-2", "GTE-small", ""] },
  { pattern: "gpt-image-*", may: ["gpt-image-", "gpt-image-2"], mayNot: ["gpt-image", "x-gpt-image-2"] },
  { pattern: "*-small", may: ["-small", "gte-small"], mayNot: ["small", "gte-small-2"] },
  { pattern: "org/*/v*", may: ["org/a/v1", "org//v", "org/a/b/v"], mayNot: ["org/v1", "org/a/w"] },
  { pattern: "a*a", may: ["aa", "aba", "aaa"], mayNot: ["a", "ab", "ba"] },
  { pattern: "a*b*b", may: ["abb", "abxb"], mayNot: ["ab", "b"] },
  { pattern: "*", may: ["", "anything", "*"], mayNot: [] },
  { pattern: "**", may: ["", "a"], mayNot: [] },
  { pattern: "a.c", may: ["a.c"], mayNot: ["abc"] },
  { pattern: "[a]?", may: ["[a]?"], mayNot: ["a", "ab"] },
])("$pattern", ({ pattern, may, mayNot }) => {
  const allowed = (model: string) => mayCall({ models: [pattern] }, model);

  expect(may.filter((model) => !allowed(model))).toEqual([]);
  expect(mayNot.filter(allowed)).toEqual([]);
});

test("one pattern that fits is enough", () => {
  expect(mayCall({ models: ["a", "b*"] }, "bc")).toBe(true);
});

test("a pattern of nothing but stars and letters does not take long to fail", () => {
  expect(mayCall({ models: ["*a".repeat(128)] }, `${"a".repeat(255)}b`)).toBe(false);
});
