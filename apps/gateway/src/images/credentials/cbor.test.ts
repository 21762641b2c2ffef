import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCbor } from "./cbor.js";

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
      [1, 2],
      [3, 4],
    ]),
  ],
  ["5f42010243030405ff", Buffer.from([1, 2, 3, 4, 5])],
  ["7f657374726561646d696e67ff", "streaming"],
  ["9f018202039f0405ffff", [1, [2, 3], [4, 5]]],
  [
    "bf61610161629f0203ffff",
    new Map<string, unknown>([
      ["a", 1],
      ["b", [2, 3]],
    ]),
  ],
])("%s is %o", (hex, value) => {
  expect(decodeCbor(Buffer.from(hex, "hex"))).toEqual(value);
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
  ["too many items", `9a000f4240${"00".repeat(1_000_000)}`],
])("%s is refused", (_name, hex) => {
  expect(() => decodeCbor(Buffer.from(hex, "hex"))).toThrow();
});

test("any bytes are decoded or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        decodeCbor(Buffer.from(bytes));
      } catch (failure) {
        expect(failure).toBeInstanceOf(Error);
      }
    }),
  );
});
