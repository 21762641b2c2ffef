import fc from "fast-check";
import { expect, test } from "vitest";
import { addHistograms, bucketOf, noDurations, percentileMs } from "./duration-histogram.js";

function histogramOf(durations: readonly number[]) {
  const counts = [...noDurations];
  for (const ms of durations) counts[bucketOf(ms)]! += 1;
  return counts;
}

test("without requests there is no percentile", () => {
  expect(percentileMs(noDurations, 0.5)).toBeNull();
});

test("the requests of a bucket count as spread over it", () => {
  expect(percentileMs(histogramOf([12.4]), 0.5)).toBe(11.22);
  expect(percentileMs(histogramOf(Array(100).fill(12.4)), 0.99)).toBe(12.55);
});

test("up to a millisecond there is one bucket, and above a thousand seconds one", () => {
  expect(percentileMs(histogramOf([0, 0.2, 1]), 0.5)).toBe(0.5);
  expect(percentileMs(histogramOf([3_000_000]), 0.5)).toBe(1_000_000);
  expect([0, 1, 1.1, 10, 1_000_000, 1_000_001].map(bucketOf)).toEqual([0, 0, 1, 10, 60, 61]);
});

test("an estimate differs from the exact percentile by a factor of less than 1.26", () => {
  const durations = fc.array(fc.double({ min: 1.001, max: 1_000_000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99), (list, share) => {
      const exact = list.toSorted((one, other) => one - other)[Math.ceil(share * list.length) - 1]!;

      const estimate = percentileMs(histogramOf(list), share)!;

      expect(Math.max(estimate / exact, exact / estimate)).toBeLessThan(1.26);
    }),
  );
});

test("histograms are added bucket by bucket", () => {
  const parts = [[3, 4000], [], [4000, 0.1]];

  expect(addHistograms(parts.map(histogramOf))).toEqual(histogramOf(parts.flat()));
});
