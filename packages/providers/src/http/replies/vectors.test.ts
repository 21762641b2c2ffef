import fc from "fast-check";
import { expect, test } from "vitest";
import { readVector } from "./vectors.js";

/** The width of a JSON array in two chunks; undefined where it is not a vector. */
function widthOf(text: string): number | undefined {
  const bytes = Buffer.from(text);
  const chunks = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
  const vector = readVector("json", chunks);
  return typeof vector === "string" ? undefined : vector.width;
}

test("the width is the number of values that JSON.parse finds", () => {
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

test("a JSON array is a vector exactly where JSON.parse gives finite float32 numbers", () => {
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
])("%s is not an array of finite float32 numbers", (text) => {
  expect(widthOf(text)).toBeUndefined();
});

test.each(["json", "base64"] as const)("a text longer than a vector can be is refused, as %s", (encoding) => {
  const longest = encoding === "json" ? `[${"0.125,".repeat(174_761)}0.12345]` : "AAAA".repeat(262_144);
  const read = (text: string) => readVector(encoding, [Buffer.from(text)]);

  expect(read(longest)).toMatchObject({ isFinite: true });
  expect(read(`${longest}${" ".repeat(100)}`)).toBe("is longer than a vector can be");
});

test.each([
  ["NaN", [1, Number.NaN, 3]],
  ["an infinity", [Number.NEGATIVE_INFINITY]],
])("base64 with %s is a vector with a width, and not finite", (_name, numbers) => {
  const text = Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

  expect(readVector("base64", [Buffer.from(text)])).toMatchObject({
    width: numbers.length,
    isFinite: false,
  });
});

test.each(["=".repeat(1_000_000), `${"=".repeat(1_000_000)}A`, `${"A".repeat(1_000_000)}===`])(
  "a long text that is not base64 is refused in one pass",
  (text) => {
    expect(readVector("base64", [Buffer.from(text)])).toBe("is not base64");
  },
);
