import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { TurnBatch } from "./turn-batch.js";

test("items of one turn run after it, in order, with nothing in between", async () => {
  const seen: string[] = [];
  const batch = new TurnBatch<string>((item) => {
    seen.push(item);
    void Promise.resolve().then(() => seen.push(`after ${item}`));
  });
  batch.add("first");
  batch.add("second");

  await Promise.resolve();
  expect(seen).toEqual([]);
  await setImmediate();

  expect(seen).toEqual(["first", "second", "after first", "after second"]);
});

test("an item that is added while others run is run in the next turn", async () => {
  const seen: string[] = [];
  const batch = new TurnBatch<string>((item) => {
    seen.push(item);
    if (item === "first") batch.add("late");
  });
  batch.add("first");
  batch.add("second");

  await setImmediate();
  expect(seen).toEqual(["first", "second"]);
  await setImmediate();

  expect(seen).toEqual(["first", "second", "late"]);
});

test("postponed items wait for another turn", async () => {
  const seen: string[] = [];
  const batch = new TurnBatch<string>((item) => void seen.push(item));
  batch.add("first");
  batch.postpone();
  await setImmediate();
  expect(seen).toEqual([]);
  batch.add("second");
  batch.postpone();
  await setImmediate();
  expect(seen).toEqual([]);

  await setImmediate();

  expect(seen).toEqual(["first", "second"]);
});

test("items that are postponed in every turn run all the same", async () => {
  let hasRun = false;
  const batch = new TurnBatch<string>(() => {
    hasRun = true;
  });
  batch.add("only");

  // Without an end of the wait, this test never ends.
  while (!hasRun) {
    batch.postpone();
    await setImmediate();
  }
});
