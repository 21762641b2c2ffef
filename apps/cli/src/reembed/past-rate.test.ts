import { expect, test } from "vitest";
import { elapsedMs } from "./past-rate.js";

test("requests that came one after the other took the sum of their times", () => {
  const requests = [
    { created_at: 100, duration_ms: 40 },
    { created_at: 160, duration_ms: 60 },
    { created_at: 220, duration_ms: 50 },
  ];

  expect(elapsedMs(requests)).toBe(150);
});

test("lines of a batch that waited for each other took the time from the first to the last", () => {
  const lines = Array.from({ length: 100 }, (_, index) => ({
    created_at: 100 + Math.floor(index / 50),
    duration_ms: 1800,
  }));

  expect(elapsedMs(lines)).toBe(1000 + 1000 + 1800);
});

test("no request took no time", () => {
  expect(elapsedMs([])).toBe(0);
});
