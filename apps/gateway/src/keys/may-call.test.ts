import fc from "fast-check";
import { expect, test } from "vitest";
import { mayCall } from "./may-call.js";

test("a key without a list may call every model, and one with an empty list none", () => {
  expect(mayCall({}, "any")).toBe(true);
  expect(mayCall({ models: [] }, "any")).toBe(false);
});

test.each([
  { pattern: "gpt-image-2", yes: ["gpt-image-2"], no: ["gpt-image-2.5", "GPT-image-2", ""] },
  { pattern: "*", yes: ["", "anything", "org/model x"], no: [] },
  { pattern: "text-*", yes: ["text-", "text-embedding-3-small"], no: ["context-", "tex"] },
  { pattern: "*-small", yes: ["gte-small", "-small"], no: ["gte-small-2"] },
  { pattern: "a*b*c", yes: ["abc", "a-b-b-c", "abcbc"], no: ["abb", "acb", "xabc"] },
  { pattern: "a.c", yes: ["a.c"], no: ["abc"] },
  { pattern: "**", yes: ["", "x"], no: [] },
])("the pattern $pattern matches case-sensitively, with * as its only wildcard", ({ pattern, yes, no }) => {
  expect(yes.filter((id) => !mayCall({ models: [pattern] }, id))).toEqual([]);
  expect(no.filter((id) => mayCall({ models: [pattern] }, id))).toEqual([]);
});

test("one matching pattern is enough", () => {
  expect(mayCall({ models: ["gpt-*", "gte-*"] }, "gte-small")).toBe(true);
});

test("a pattern matches exactly like the equivalent regular expression", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "."), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);

      expect(mayCall({ models: [pattern] }, text)).toBe(expression.test(text));
    }),
  );
});
