import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCbor } from "./cbor.js";
import { ManifestBudget } from "./manifest-budget.js";

const decode = (hex: string, budget = new ManifestBudget()) => decodeCbor(Buffer.from(hex, "hex"), budget);

/** RFC 8949, appendix A. */
test.each([
  ["00", 0],
  ["17", 23],
  ["1864", 100],
  ["1903e8", 1000],
  ["1a000f4240", 1_000_000],
  ["1b000000e8d4a51000", 1_000_000_000_000],
  ["20", -1],
  ["3903e7", -1000],
  ["f93c00", 1],
  ["f97bff", 65_504],
  ["f90001", 2 ** -24],
  ["f9fc00", Number.NEGATIVE_INFINITY],
  ["fa47c35000", 100_000],
  ["fb3ff199999999999a", 1.1],
  ["f4", false],
  ["f6", null],
  ["c074323031332d30332d32315432303a30343a30305a", "2013-03-21T20:04:00Z"],
  ["4401020304", Buffer.from([1, 2, 3, 4])],
  ["62c3bc", "ü"],
  ["8301820203820405", [1, [2, 3], [4, 5]]],
  [
    "a201020304",
    new Map([
      ["n1", 2],
      ["n3", 4],
    ]),
  ],
  ["5f42010243030405ff", Buffer.from([1, 2, 3, 4, 5])],
  ["7f657374726561646d696e67ff", "streaming"],
  ["9f018202039f0405ffff", [1, [2, 3], [4, 5]]],
  [
    "bf61610161629f0203ffff",
    new Map<string, unknown>([
      ["ta", 1],
      ["tb", [2, 3]],
    ]),
  ],
])("%s is %o", (hex, value) => {
  expect(decode(hex)).toEqual(value);
});

test.each([
  ["nothing", ""],
  ["a string that is cut off", "4401"],
  ["a length of eight exabytes", "5bffffffffffffffff"],
  ["a list of four billion", "9affffffff"],
  ["a map of four billion", "baffffffff"],
  ["more than one item", "0000"],
  ["an end without a start", "ff"],
  ["a length that is reserved", "1c"],
  ["a list without an end", "9f01"],
  ["a key twice", "a2010201"],
  ["lists in lists", "81".repeat(1000)],
  ["tags of tags", `${"c0".repeat(1000)}00`],
  ["a key that is a list", "a18001"],
  ["a key that is a fraction", "a1f9380001"],
])("%s is refused", (_name, hex) => {
  expect(() => decode(hex)).toThrow();
});

const many = 10_000;
test.each([
  ["items in a list", `9a000f4240${"00".repeat(many)}`],
  ["empty pieces of a string", `5f${"40".repeat(many)}ff`],
  ["empty pieces of a text", `7f${"60".repeat(many)}ff`],
  ["keys", `bf${Array.from({ length: many }, (_, key) => `1a${hexOf(key)}00`).join("")}ff`],
])("too many %s are refused", (_name, hex) => {
  expect(() => decode(hex)).toThrow("The manifest has more than 8000 values.");
});

test.each([
  ["texts", `92${`7a00020000${"61".repeat(131_072)}`.repeat(9)}`],
  ["pieces", `5f${`5a00020000${"00".repeat(131_072)}`.repeat(9)}ff`],
])("%s of more than a megabyte are refused", (_name, hex) => {
  expect(() => decode(hex)).toThrow("The manifest has more than 1048576 bytes of text.");
});

test("the parts of one manifest share its budget", () => {
  const budget = new ManifestBudget();
  const list = `991000${"00".repeat(4096)}`;
  decode(list, budget);

  expect(() => decode(list, budget)).toThrow("The manifest has more than 8000 values.");
});

function hexOf(number: number): string {
  return number.toString(16).padStart(8, "0");
}

/** Heads of strings, lists, maps and tags, so that most texts get far. */
const heads = fc.constantFrom(0x5f, 0x7f, 0x9f, 0xbf, 0x41, 0x61, 0x82, 0xa1, 0xc0, 0xff, 0x00, 0x38);
test("any bytes are decoded or refused", () => {
  const bytes = fc.array(fc.oneof(heads, fc.integer({ min: 0, max: 255 })), { maxLength: 400 });
  fc.assert(
    fc.property(bytes, (list) => {
      const budget = new ManifestBudget();
      try {
        decodeCbor(Buffer.from(list), budget);
      } catch (failure) {
        expect(failure).toBeInstanceOf(Error);
        expect(failure).not.toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 1000 },
  );
});
