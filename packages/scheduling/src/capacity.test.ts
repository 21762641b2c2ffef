import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { Capacity, type Demand } from "./capacity.js";

const interactive = (tokens: number): Demand => ({ tokens, priorityClass: "interactive" });
const bulk = (tokens: number): Demand => ({ tokens, priorityClass: "bulk" });
const overdue = (tokens: number): Demand => ({ tokens, priorityClass: "overdue" });

test("no more calls are in flight than the concurrency limit allows", () => {
  const capacity = new Capacity({ maxConcurrency: 2 }, new FakeClock());

  capacity.acquire(interactive(1));
  capacity.acquire(interactive(1));
  expect(capacity.waitMs(interactive(1))).toBe(Number.POSITIVE_INFINITY);
  capacity.release(interactive(1));

  expect(capacity.waitMs(interactive(1))).toBe(0);
});

test("a target without a limit takes a quarter of its upstream's connections", () => {
  const capacity = new Capacity({}, new FakeClock());

  for (let call = 0; call < 256; call += 1) {
    expect(capacity.waitMs(interactive(1))).toBe(0);
    capacity.acquire(interactive(1));
  }

  expect(capacity.waitMs(interactive(1))).toBe(Number.POSITIVE_INFINITY);
});

test("the stricter limits hold for a target of two models", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ maxConcurrency: 10, requestsPerMinute: 60 }, clock);

  capacity.restrict({ maxConcurrency: 2, tokensPerMinute: 600, interactiveShare: 0.5 });
  capacity.restrict({ requestsPerMinute: 600 });

  capacity.acquire(bulk(1));
  expect([capacity.waitMs(bulk(1)), capacity.waitMs(interactive(1))]).toEqual([Number.POSITIVE_INFINITY, 0]);
  capacity.acquire(interactive(600));
  expect(capacity.waitMs(interactive(1))).toBe(Number.POSITIVE_INFINITY);
  capacity.release(bulk(1));
  capacity.release(interactive(600));
  expect(capacity.waitMs(interactive(1))).toBe(200);
});

test("requests per minute refill evenly", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ requestsPerMinute: 60 }, clock);

  for (let call = 0; call < 60; call += 1) capacity.acquire(interactive(1));
  expect(capacity.waitMs(interactive(1))).toBe(1000);
  clock.advance(1000);

  expect(capacity.waitMs(interactive(1))).toBe(0);
});

test("a call waits for its tokens, and one that is larger than the limit waits for a full bucket", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ tokensPerMinute: 600 }, clock);

  capacity.acquire(interactive(550));
  expect([
    capacity.waitMs(interactive(50)),
    capacity.waitMs(interactive(100)),
    capacity.waitMs(interactive(9999)),
  ]).toEqual([0, 5000, 55_000]);
  clock.advance(55_000);

  expect(capacity.waitMs(interactive(9999))).toBe(0);
});

test("bulk calls leave a share of the concurrency limit to interactive ones", () => {
  const capacity = new Capacity({ maxConcurrency: 4 }, new FakeClock());

  for (let call = 0; call < 3; call += 1) capacity.acquire(bulk(1));
  expect([capacity.waitMs(bulk(1)), capacity.waitMs(overdue(1)), capacity.waitMs(interactive(1))]).toEqual([
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    0,
  ]);
  expect(capacity.isBulkShareFull).toBe(true);
  capacity.release(bulk(1));

  expect(capacity.waitMs(bulk(1))).toBe(0);
});

test("bulk calls use what interactive ones leave, even on a target that takes one call", () => {
  const alone = new Capacity({ maxConcurrency: 1 }, new FakeClock());
  const capacity = new Capacity({ maxConcurrency: 4, interactiveShare: 0 }, new FakeClock());

  for (let call = 0; call < 3; call += 1) capacity.acquire(interactive(1));

  expect([alone.waitMs(bulk(1)), capacity.waitMs(bulk(1))]).toEqual([0, 0]);
  capacity.acquire(bulk(1));
  expect(capacity.waitMs(bulk(1))).toBe(Number.POSITIVE_INFINITY);
});

test("bulk calls leave a share of the rates, and an overdue one may take it", () => {
  const clock = new FakeClock();
  const capacity = new Capacity(
    { requestsPerMinute: 60, tokensPerMinute: 600, interactiveShare: 0.5 },
    clock,
  );

  capacity.acquire(bulk(300));
  expect([bulk(60), overdue(60), interactive(60)].map((demand) => capacity.waitMs(demand))).toEqual([
    6000, 0, 0,
  ]);
  clock.advance(6000);
  expect(capacity.waitMs(bulk(60))).toBe(0);
  for (let call = 0; call < 36; call += 1) capacity.acquire(interactive(0));

  expect([bulk(0), overdue(0), interactive(0)].map((demand) => capacity.waitMs(demand))).toEqual([
    7000, 0, 0,
  ]);
});

test("bulk calls leave as much as interactive ones used at once in the last seconds", () => {
  const clock = new FakeClock();
  const capacity = new Capacity({ maxConcurrency: 8 }, clock);
  const bulkCalls = () => {
    let calls = 0;
    for (; capacity.waitMs(bulk(1)) === 0; calls += 1) capacity.acquire(bulk(1));
    for (let call = 0; call < calls; call += 1) capacity.release(bulk(1));
    return calls;
  };

  for (let call = 0; call < 4; call += 1) capacity.acquire(interactive(1));
  for (let call = 0; call < 4; call += 1) capacity.release(interactive(1));
  expect(bulkCalls()).toBe(4);
  clock.advance(10_000);
  expect(bulkCalls()).toBe(4);
  clock.advance(10_000);

  expect(bulkCalls()).toBe(6);
});

test("an interactive call that waits for bulk calls is given room, and a quarter stays with them", () => {
  const capacity = new Capacity({ maxConcurrency: 8 }, new FakeClock());
  for (let call = 0; call < 6; call += 1) capacity.acquire(bulk(1));
  for (let call = 0; call < 2; call += 1) capacity.acquire(interactive(1));

  for (let call = 2; call < 8; call += 1) {
    expect(capacity.waitMs(interactive(1))).toBe(Number.POSITIVE_INFINITY);
    if (call < 6) capacity.release(bulk(1));
    else capacity.release(interactive(1));
    expect(capacity.waitMs(bulk(1))).toBe(Number.POSITIVE_INFINITY);
    capacity.acquire(interactive(1));
  }
  capacity.release(bulk(1));

  expect(capacity.waitMs(bulk(1))).toBe(0);
});
