import { expect, test } from "vitest";
import { seedRandom } from "./random.js";

test("the same prompt, index and purpose give the same numbers on every machine", () => {
  const random = seedRandom("a fox", 0)("stars");

  const numbers = [random.whole(0, 999), random.whole(0, 999), random.whole(0, 999)];

  expect(numbers).toEqual([122, 794, 732]);
});

test("another prompt, index or purpose gives other numbers", () => {
  const first = [
    seedRandom("a fox", 0)("stars").next(),
    seedRandom("a fox", 1)("stars").next(),
    seedRandom("a cat", 0)("stars").next(),
    seedRandom("a fox", 0)("clouds").next(),
  ];

  expect(new Set(first).size).toBe(4);
});

test("numbers stay within their range", () => {
  const random = seedRandom("range", 0)("test");

  const rolls = Array.from({ length: 2000 }, () => random.whole(1, 6));

  expect(new Set(rolls)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});
