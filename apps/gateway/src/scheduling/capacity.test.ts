import { expect, test } from "vitest";
import { FakeClock } from "../domain/test/clocks.js";
import { Capacity } from "./capacity.js";

test("no more calls are under way than may be", () => {
  const capacity = new Capacity({ maxConcurrency: 2 }, new FakeClock());

  capacity.take(1);
  capacity.take(1);
  expect(capacity.waitMs(1)).toBe(Number.POSITIVE_INFINITY);
  capacity.giveBack();

  expect(capacity.waitMs(1)).toBe(0);
});

test("requests a minute fill up evenly", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ requestsPerMinute: 60 }, clock);

  for (let call = 0; call < 60; call += 1) capacity.take(1);
  expect(capacity.waitMs(1)).toBe(1000);
  clock.advance(1000);

  expect(capacity.waitMs(1)).toBe(0);
});

test("tokens a minute are counted by call, and one that is larger than all of them still gets its turn", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ tokensPerMinute: 600 }, clock);

  capacity.take(550);
  expect([capacity.waitMs(50), capacity.waitMs(100), capacity.waitMs(9999)]).toEqual([0, 5000, 55_000]);
  clock.advance(55_000);

  expect(capacity.waitMs(9999)).toBe(0);
});
