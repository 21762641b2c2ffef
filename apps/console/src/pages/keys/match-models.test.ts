import { expect, test } from "vitest";
import { matchesPattern, matchModels, readPatterns } from "./match-models.js";

test.each([
  ["gte-small", "gte-small", true],
  ["gte-small", "gte-small-2", false],
  ["*", "", true],
  ["gpt-image-*", "gpt-image-2", true],
  ["gpt-image-*", "my-gpt-image-2", false],
  ["*-small", "text-embedding-3-small", true],
  ["a*a", "a", false],
  ["text-*-3-*", "text-embedding-3-small", true],
  ["a*b*ab", "aab", false],
  ["a*b*ab", "ab-b-ab", true],
  ["a.c", "abc", false],
])("%s on %s", (pattern, name, fits) => {
  expect(matchesPattern(pattern, name)).toBe(fits);
});

test("a model fits by one of its names, and is counted once", () => {
  const models = [
    { id: "a", aliases: ["text-1", "text-2"] },
    { id: "b", aliases: [] },
  ];

  expect(matchModels(["text-*", "a"], models)).toEqual([models[0]]);
});

test("patterns are separated by commas and spaces", () => {
  expect(readPatterns(" a, b*,\nc  a ,")).toEqual(["a", "b*", "c"]);
});
