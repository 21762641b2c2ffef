import { expect, test } from "vitest";
import { callsOf } from "./run-local.js";
import { createTexts, textCount } from "./varied-texts.js";

test("the texts are the same in every run, all different, and of varied lengths", () => {
  const texts = createTexts();
  const lengths = texts.map((text) => text.split(" ").length).sort((a, b) => a - b);

  expect(texts).toEqual(createTexts());
  expect(new Set(texts).size).toBe(textCount);
  expect(lengths[textCount / 2]).toBeGreaterThan(25);
  expect(lengths[textCount / 2]).toBeLessThan(35);
  expect(lengths.at(-1)).toBeGreaterThan(150);
});

test("calls have the texts in their order, and the last call has the rest", () => {
  expect(callsOf(["a", "b", "c"], 2)).toEqual([["a", "b"], ["c"]]);
});
