import { expect, test } from "vitest";
import { daysOf, monthStart } from "./month-start.js";

test("a month begins in UTC, and its days go up to today", () => {
  const now = Date.UTC(2026, 10, 3, 0, 30);

  expect(monthStart(now)).toBe(Date.UTC(2026, 10, 1) / 1000);
  expect(daysOf(now)).toEqual([1, 2, 3].map((day) => Date.UTC(2026, 10, day) / 1000));
  expect(daysOf(Date.UTC(2026, 10, 1))).toHaveLength(1);
});
