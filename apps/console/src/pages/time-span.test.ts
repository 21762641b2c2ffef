import { expect, test } from "vitest";
import { rangeStepLabel, rangeSteps, spanRange } from "./time-range.js";
import { type SpanName, startOf } from "./time-span.js";

const now = Date.UTC(2026, 10, 16, 14, 25, 30);

test.each([
  ["24h", 24, "15:00", "14:00"],
  ["30d", 30, "10-18", "11-16"],
] as [SpanName, number, string, string][])("%s has %d whole steps in UTC", (name, count, first, last) => {
  const range = spanRange(name, now);

  const steps = rangeSteps(range, now);

  expect(steps[0]).toBe(startOf(name, now));
  expect([
    steps.length,
    rangeStepLabel(range, steps[0] ?? 0),
    rangeStepLabel(range, steps.at(-1) ?? 0),
  ]).toEqual([count, first, last]);
});
