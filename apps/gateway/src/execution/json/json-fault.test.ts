import fc from "fast-check";
import { expect, test } from "vitest";
import { locateJsonFault, locateLargeJsonFault } from "./json-fault.js";

const at = (line: number, column: number) =>
  `there is an unexpected character at line ${line}, column ${column}`;
const endsAt = (line: number, column: number) => `it ends too early, at line ${line}, column ${column}`;

test.each<[string, string]>([
  ["", "it is empty"],
  [" \n\t", "it is empty"],
  ["{", endsAt(1, 2)],
  ['{"a":1', endsAt(1, 7)],
  ['{"a": "b', endsAt(1, 9)],
  ["tru", endsAt(1, 4)],
  ["-", endsAt(1, 2)],
  ["1.", endsAt(1, 3)],
  ["{'a': 1}", at(1, 2)],
  ["{a: 1}", at(1, 2)],
  ['{"a" 1}', at(1, 6)],
  ['{"a": 1,}', at(1, 9)],
  ['{"a": [1, 2}', at(1, 12)],
  ["[1,]", at(1, 4)],
  ["[,1]", at(1, 2)],
  ["{} x", at(1, 4)],
  ["[1]]", at(1, 4)],
  ["truth", at(1, 4)],
  ["nUll", at(1, 2)],
  ["01", at(1, 2)],
  ["1.e5", at(1, 3)],
  ["1e+", endsAt(1, 4)],
  ["--1", at(1, 2)],
  ["[NaN]", at(1, 2)],
  ['"a\nb"', at(1, 3)],
  ['"\\x"', at(1, 3)],
  ['"\\u12g4"', at(1, 6)],
  ['{\n  "a": 1,\n  "b": oops\n}', at(3, 8)],
  ['{"é😀": é}', at(1, 8)],
  ["\ufeff{]", at(1, 2)],
])("%j: %s", async (text, reason) => {
  const body = Buffer.from(text);

  expect(locateJsonFault(body)).toBe(reason);
  expect(await locateLargeJsonFault(body)).toBe(reason);
});

test("text that is JSON but for its encoding is not UTF-8", () => {
  expect(locateJsonFault(Buffer.from([0x22, 0xff, 0x22]))).toBe("it is not UTF-8");
});

test("a fault far into a large body is found", async () => {
  const lines = Array(50_000).fill('"a line"').join(",\n");

  expect(await locateLargeJsonFault(Buffer.from(`[\n${lines},\noops]`))).toBe(at(50_002, 1));
  expect(await locateLargeJsonFault(Buffer.from(`[\n${lines}`))).toBe(endsAt(50_001, 9));
});

test("it finds a fault exactly where JSON.parse refuses the text", () => {
  const damage = fc.record({
    at: fc.nat(),
    removed: fc.nat(2),
    inserted: fc.constantFrom("", ",", "[", "]", "{", "}", '"', "\\", ":", " ", "1", "-", ".", "e", "\n"),
  });
  fc.assert(
    fc.property(fc.json(), damage, (json, { at: place, removed, inserted }) => {
      const from = place % (json.length + 1);
      const text = `${json.slice(0, from)}${inserted}${json.slice(from + removed)}`;

      // If the grammar holds, the fault is "not UTF-8".
      expect(locateJsonFault(Buffer.from(text)) === "it is not UTF-8").toBe(isJson(text));
    }),
    { numRuns: 5000, seed: 20261116 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
