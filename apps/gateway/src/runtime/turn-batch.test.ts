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
