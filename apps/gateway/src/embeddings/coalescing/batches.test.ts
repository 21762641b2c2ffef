import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divideUsage, planBatches } from "./batches.js";

describe("planBatches", () => {
  test("batches keep the order and all items, and each fits the limit or is a single item", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 100 }),
        (items, maxInputs, maxTokens) => {
          const batches = planBatches(items, { maxInputs, maxTokens }, (item) => item);

          expect(batches.flat()).toEqual(items);
          for (const batch of batches) {
            const tokens = batch.reduce((sum, item) => sum + item, 0);
            expect(batch.length).toBeGreaterThan(0);
            expect(batch.length === 1 || (batch.length <= maxInputs && tokens <= maxTokens)).toBe(true);
          }
        },
      ),
      { numRuns: 3000, seed: 20261115 },
    );
  });

  test("batches are as large as the limit allows", () => {
    const batches = planBatches([1, 1, 1, 1, 1], { maxInputs: 2, maxTokens: 100 }, (item) => item);

    expect(batches).toEqual([[1, 1], [1, 1], [1]]);
  });
});

describe("shareUsage", () => {
  test("shares are whole, not negative, and add up to the total", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 100 }),
        (total, weights) => {
          const shares = divideUsage(total, weights);

          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
          expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
        },
      ),
      { numRuns: 3000, seed: 20261115 },
    );
  });

  test("equal weights get equal shares", () => {
    expect(divideUsage(9, [4, 4, 4])).toEqual([3, 3, 3]);
  });
});
