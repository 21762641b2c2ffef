import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeSigns } from "./pack-signs.js";

const numRuns = lengthByTier({ short: 200, full: 20_000 });
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const vector = fc
  .integer({ min: 1, max: 64 })
  .chain((bytes) => fc.float32Array({ minLength: bytes * 8, maxLength: bytes * 8, noNaN: true }));

/** As text: the bits of each byte from the left, read as a binary number. */
function referenceOf(floats: Float32Array): number[] {
  const bits = Array.from(floats, (value) => (value >= 0 ? "1" : "0")).join("");
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

test("signs are packed as the plain reference does it", () => {
  fc.assert(
    fc.property(vector, (floats) => {
      const bytes = referenceOf(floats);

      expect(JSON.parse(writeSigns(floats, "ubinary"))).toEqual(bytes);
      expect(JSON.parse(writeSigns(floats, "binary"))).toEqual(bytes.map((byte) => byte - 128));
    }),
    { numRuns },
  );
});

test("the length of a vector does not change its signs", () => {
  fc.assert(
    fc.property(
      fc.array(float, { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 100 }),
      (some, by) => {
        const longer = Float32Array.from(some, (value) => value * by);

        expect(writeSigns(longer, "ubinary")).toBe(writeSigns(Float32Array.from(some), "ubinary"));
      },
    ),
    { numRuns },
  );
});
