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

test("lines of a batch took the time in which one of them ran, and the pause between two batches none", () => {
  const batch = (created_at: number) => Array.from({ length: 50 }, () => ({ created_at, duration_ms: 1800 }));

  expect(elapsedMs([...batch(101), ...batch(100)])).toBe(1000 + 1000 + 1800);
  expect(elapsedMs([...batch(9000), ...batch(100)])).toBe(2 * (1000 + 1800));
});

test("no request took no time", () => {
  expect(elapsedMs([])).toBe(0);
});
