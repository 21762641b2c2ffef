import { expect, test } from "vitest";
import { niceCeiling } from "./stacked-bars.js";

test.each([
  [0, 4],
  [1, 4],
  [5, 8],
  [9, 20],
  [41, 80],
  [81, 100],
  [401, 500],
])("%d things are drawn on a scale up to %d, whose quarters are whole", (value, ceiling) => {
  expect(niceCeiling(value, true)).toBe(ceiling);
});

test.each([
  [0.3, 0.4],
  [0.9, 1],
  [1.5, 2],
  [9, 10],
])("$%d is drawn on a scale up to $%d", (value, ceiling) => {
  expect(niceCeiling(value, false)).toBeCloseTo(ceiling);
});
