import { expect, test } from "vitest";
import { isSettling, refreshAfter } from "./running-refresh.js";

test("what runs is loaded again, less often after some minutes", () => {
  expect(refreshAfter({ isRunning: true, loads: 1, pages: 1 })).toBe(3000);
  expect(refreshAfter({ isRunning: true, loads: 101, pages: 1 })).toBe(30_000);
});

test("what has ended is not loaded again, and neither is a long list", () => {
  expect(refreshAfter({ isRunning: false, loads: 1, pages: 1 })).toBe(false);
  expect(refreshAfter({ isRunning: true, loads: 1, pages: 3 })).toBe(false);
});

test("work that has just ended may still get its cost", () => {
  expect([null, 981, 980].map((endedAt) => isSettling(endedAt, 1_000_000))).toEqual([false, true, false]);
});
