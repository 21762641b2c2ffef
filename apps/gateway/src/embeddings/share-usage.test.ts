import fc from "fast-check";
import { expect, test } from "vitest";
import { shareUsage } from "./share-usage.js";

test("shares are whole, none is negative, and together they are the total", () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 100 }),
      (total, weights) => {
        const shares = shareUsage(total, weights);

        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
        expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
      },
    ),
    { numRuns: 3000, seed: 20261115 },
  );
});

test("equal inputs pay the same", () => {
  expect(shareUsage(9, [4, 4, 4])).toEqual([3, 3, 3]);
});
