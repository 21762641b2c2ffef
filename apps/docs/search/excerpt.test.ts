import { expect, test } from "vitest";
import { excerptOf } from "./excerpt.js";

const marked = (text: string, ...terms: string[]) =>
  excerptOf(text, new Set(terms))
    .map((part) => (part.isHit ? `[${part.text}]` : part.text))
    .join("");

test("hits are marked as they are written", () => {
  expect(marked("Rate Limits count requests.", "limit", "request")).toBe("Rate [Limits] count [requests].");
});

test("an excerpt begins near the place with the most different terms", () => {
  const text = `${"A limit here. ".repeat(20)}Then a budget and a limit stand together. ${"More. ".repeat(60)}`;

  const excerpt = marked(text, "limit", "budget");

  expect(excerpt).toContain("[budget] and a [limit] stand");
  expect(excerpt.length).toBeLessThan(200);
  expect(excerpt.startsWith("…")).toBe(true);
  expect(excerpt.endsWith("…")).toBe(true);
});

test("a text without a hit gives its beginning, and a word without spaces is cut", () => {
  expect(marked("Short.", "other")).toBe("Short.");
  expect(marked("x".repeat(400), "other")).toBe(`${"x".repeat(160)}…`);
});
