import { expect, test } from "vitest";
import { formatShare, formatTimeLeft, formatUsd } from "./format.js";

test.each([
  [0, "$0"],
  [1e-10, "< $0.000000001"],
  [0.000_000_06, "$0.00000006"],
  [0.000_738_4, "$0.000738"],
  [0.012_34, "$0.0123"],
  [0.5, "$0.50"],
  [1234.567, "$1,234.57"],
])("an amount has the digits that tell it from others: %d", (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});

test.each([
  [82_800, "23 h"],
  [90, "2 min"],
  [0.5, "under 1 s"],
  [-60, "under 1 s"],
])("an earlier secret of a key that works for %d more seconds says so", (seconds, text) => {
  const nowMs = Date.UTC(2026, 10, 17, 14, 25, 30);

  expect(formatTimeLeft(nowMs / 1000 + seconds, nowMs)).toBe(text);
});

test.each([
  [24.98 / 25, "99.9 %"],
  [0.999_999, "99.9 %"],
  [0.995, "99.5 %"],
  [0.994, "99 %"],
  [1, "100 %"],
  [1.004, "100 %"],
  [0.05, "5.0 %"],
  [0, "0 %"],
])("a share of %d is not rounded up to the whole", (share, text) => {
  expect(formatShare(share)).toBe(text);
});
