import fc from "fast-check";
import { expect, test } from "vitest";
import { readVector } from "./read-vector.js";

/** The width of a JSON array, in two pieces; undefined where it is no vector. */
function widthOf(text: string): number | undefined {
  const bytes = Buffer.from(text);
  const pieces = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
  const vector = readVector("json", pieces);
  return typeof vector === "string" ? undefined : vector.width;
}

test("it counts what JSON.parse finds", () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true })),
      fc.constantFrom("", " ", "\n\t"),
      (numbers, space) => {
        const text = `[${space}${numbers.map(String).join(`${space},${space}`)}${space}]`;

        expect(widthOf(text)).toBe(numbers.length);
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

      expect(widthOf(text)).toBe(countByParsing(text));
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
  expect(widthOf(text)).toBeUndefined();
});

test("an array that is larger than what is looked at in one go is a vector all the same", () => {
  expect(widthOf(`[${"0.125,".repeat(200_000)}1]`)).toBe(200_001);
});

test("base64 that is larger than what is looked at in one go is a vector all the same", () => {
  const floats = new Float32Array(300_000).fill(0.5);

  const vector = readVector("base64", [Buffer.from(Buffer.from(floats.buffer).toString("base64"))]);

  expect(vector).toMatchObject({ width: 300_000, isFinite: true });
});

test.each([
  ["NaN", [1, Number.NaN, 3]],
  ["an infinity", [Number.NEGATIVE_INFINITY]],
])("base64 with %s is a vector whose width is known, and which is not finite", (_name, numbers) => {
  const text = Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

  expect(readVector("base64", [Buffer.from(text)])).toMatchObject({
    width: numbers.length,
    isFinite: false,
  });
});
