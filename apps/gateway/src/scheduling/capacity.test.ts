import { expect, test } from "vitest";
import { FakeClock } from "../domain/test/clocks.js";
import { Capacity } from "./capacity.js";

test("no more calls are in flight than the concurrency limit allows", () => {
  const capacity = new Capacity({ maxConcurrency: 2 }, new FakeClock());

  capacity.acquire(1);
  capacity.acquire(1);
  expect(capacity.waitMs(1)).toBe(Number.POSITIVE_INFINITY);
  capacity.release();

  expect(capacity.waitMs(1)).toBe(0);
});

test("requests per minute refill evenly", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ requestsPerMinute: 60 }, clock);

  for (let call = 0; call < 60; call += 1) capacity.acquire(1);
  expect(capacity.waitMs(1)).toBe(1000);
  clock.advance(1000);

  expect(capacity.waitMs(1)).toBe(0);
});

test("a call waits for its tokens, and one that is larger than the limit waits for a full bucket", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ tokensPerMinute: 600 }, clock);

  capacity.acquire(550);
  expect([capacity.waitMs(50), capacity.waitMs(100), capacity.waitMs(9999)]).toEqual([0, 5000, 55_000]);
  clock.advance(55_000);

  expect(capacity.waitMs(9999)).toBe(0);
});
