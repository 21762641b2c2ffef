import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planBatches, shareUsage } from "./batches.js";

describe("plan parts", () => {
  test("parts keep the order, lose nothing, and each fits into a call or is a single input", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 100 }),
        (items, maxInputs, maxTokens) => {
          const parts = planBatches(items, { maxInputs, maxTokens }, (item) => item);

          expect(parts.flat()).toEqual(items);
          for (const part of parts) {
            const tokens = part.reduce((sum, item) => sum + item, 0);
            expect(part.length).toBeGreaterThan(0);
            expect(part.length === 1 || (part.length <= maxInputs && tokens <= maxTokens)).toBe(true);
          }
        },
      ),
      { numRuns: 3000, seed: 20261115 },
    );
  });

  test("no two neighbours could have travelled together", () => {
    const parts = planBatches([1, 1, 1, 1, 1], { maxInputs: 2, maxTokens: 100 }, (item) => item);

    expect(parts).toEqual([[1, 1], [1, 1], [1]]);
  });
});

describe("share usage", () => {
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
});
