import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { expect, test } from "vitest";
import { estimateInputTokens } from "./estimate-tokens.js";

test("an input of any shape has an estimate", () => {
  expect(estimateInputTokens("twelve bytes")).toBe(3);
  expect(estimateInputTokens("a")).toBe(1);
  expect(estimateInputTokens(["twelve bytes", "a"])).toBe(4);
  expect(estimateInputTokens([1, 2, 3])).toBe(3);
  expect(estimateInputTokens([[1, 2, 3], [4]])).toBe(4);
});

test.each([
  "The gateway checks every request against a published document before it is sent anywhere.",
  "Der Donaudampfschifffahrtskapitän überquerte gemächlich die größte Brücke der Stadt.",
  "昨日は雨が降っていたので、図書館で一日中本を読んでいました。",
  'for (const [index, value] of Object.entries(table)) total += value ?? fallback["x"];',
])("the estimate of %s is within a factor of two of the truth", (text) => {
  const truth = encode(text).length;

  const estimate = estimateInputTokens(text);

  expect(estimate / truth).toBeGreaterThan(0.5);
  expect(estimate / truth).toBeLessThan(2);
});
