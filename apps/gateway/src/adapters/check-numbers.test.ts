import fc from "fast-check";
import { expect, test } from "vitest";
import { countNumbers } from "./check-numbers.js";

test("it counts what JSON.parse finds", () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true })),
      fc.constantFrom("", " ", "\n\t"),
      (numbers, space) => {
        const text = `[${space}${numbers.map(String).join(`${space},${space}`)}${space}]`;

        expect(countNumbers(Buffer.from(text))).toBe(numbers.length);
      },
    ),
    { numRuns: 3000, seed: 20261115 },
  );
});

test("it takes what JSON.parse takes, and nothing else", () => {
  const letters = fc.constantFrom(...'0123456789.-+eE, []\n"n');
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 24 }), (inner) => {
      const text = `[${inner}]`;

      expect(countNumbers(Buffer.from(text))).toBe(countByParsing(text));
    }),
    { numRuns: 20_000, seed: 20261115 },
  );
});

function countByParsing(text: string): number | undefined {
  try {
    const values: unknown[] = JSON.parse(text);
    const areNumbers = values.every(
      (value) => typeof value === "number" && Number.isFinite(Math.fround(value)),
    );
    return areNumbers ? values.length : undefined;
  } catch {
    return undefined;
  }
}

test.each([
  "[1,]",
  "[,1]",
  "[1 2]",
  "[01]",
  "[1.]",
  "[.5]",
  "[+1]",
  "[1e]",
  "[-]",
  "[null]",
  '["1"]',
  "[[1]]",
  "[NaN]",
  "[1e39]",
  "[1e999]",
  `[${"9".repeat(40)}]`,
  "[1",
  "[1]]",
])("%s is no array of numbers that a float32 can hold", (text) => {
  expect(countNumbers(Buffer.from(text))).toBeUndefined();
});
