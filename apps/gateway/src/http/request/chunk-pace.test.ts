import { TimeSlice, TurnBudget } from "@model-gateway/runtime/time-slice";
import { expect, test } from "vitest";
import { BytePace, ChunkPace } from "./chunk-pace.js";

test("small chunks are received in slices of time, up to a number", async () => {
  let nowMs = 0;
  const budget = new TurnBudget(() => nowMs, setImmediate);
  const pace = new ChunkPace(() => new TimeSlice(budget));
  let waits = 0;

  for (let count = 0; count < 100_000; count += 1) {
    nowMs += 0.01;
    const wait = pace.add({ length: 1023 });
    if (wait === undefined) continue;
    waits += 1;
    await wait;
  }

  // A second of work, in slices of 8 ms, rounded to whole clock reads.
  expect(waits).toBeGreaterThan(80);
  expect(pace.fault).toBeUndefined();
  void pace.add({ length: 1 });
  expect(pace.fault?.code).toBe("content_too_large");
});

test("chunks of a few bytes are refused soon", () => {
  const pace = new ChunkPace();

  for (let count = 0; count < 2000; count += 1) void pace.add({ length: 31 });
  expect(pace.fault).toBeUndefined();
  void pace.add({ length: 31 });

  expect(pace.fault?.message).toContain("more than 2000 chunks of less than 32 bytes");
});

test("large chunks do not count", () => {
  const pace = new ChunkPace();

  let waits = 0;
  for (let count = 0; count < 1_000_000; count += 1) if (pace.add({ length: 1024 }) !== undefined) waits += 1;

  expect(waits).toBe(0);
  expect(pace.fault).toBeUndefined();
});

test("large chunks are received in slices of time, after a start without a look at it", async () => {
  let nowMs = 0;
  const budget = new TurnBudget(() => nowMs, setImmediate);
  const pace = new BytePace(1000, 500, () => new TimeSlice(budget));
  const waits: number[] = [];

  for (let count = 0; count < 10; count += 1) {
    const wait = pace.add(250);
    nowMs += 5;
    if (wait === undefined) continue;
    waits.push(count);
    await wait;
  }

  // The first look, after a thousand bytes, begins the first slice.
  expect(waits).toEqual([5, 7, 9]);
});
