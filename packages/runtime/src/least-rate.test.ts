import { expect, test } from "vitest";
import { LeastRate } from "./least-rate.js";
import { ManualClock } from "./test/clocks.js";

const rate = { bytesPerSecond: 1000, windowMs: 30_000 };

/** Looks once a second. Returns the second in which the rate was too low. */
function secondBelow(
  bytesIn: (second: number) => number,
  isCounted: (second: number) => boolean = () => true,
) {
  const clock = new ManualClock();
  const least = new LeastRate(rate, clock);
  let bytes = 0;
  for (let second = 1; second <= 600; second += 1) {
    clock.advance(1000);
    bytes += bytesIn(second);
    if (least.isBelow(bytes, isCounted(second))) return second;
  }
  return undefined;
}

test("what moves nothing is too slow when the window has passed", () => {
  expect(secondBelow(() => 0)).toBe(30);
});

test("the rate is an average over the window", () => {
  expect(secondBelow(() => 1000)).toBeUndefined();
  expect(secondBelow(() => 999)).toBe(30);
  expect(secondBelow((second) => (second % 25 === 0 ? 30_000 : 0))).toBeUndefined();
});

test("a quick start does not pay for a pause", () => {
  expect(secondBelow((second) => (second === 1 ? 100_000_000 : 0))).toBeLessThanOrEqual(36);
});

test("time in which the gateway was slow does not count", () => {
  expect(
    secondBelow(
      () => 0,
      (second) => second > 100,
    ),
  ).toBe(130);
  expect(
    secondBelow(
      () => 0,
      (second) => second % 2 === 0,
    ),
  ).toBe(60);
});

test("bytes that had passed before count for nothing", () => {
  const clock = new ManualClock();
  const least = new LeastRate(rate, clock, 1_000_000);

  clock.advance(30_000);

  expect(least.isBelow(1_020_000)).toBe(true);
});
