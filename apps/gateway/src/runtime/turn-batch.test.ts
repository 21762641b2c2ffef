import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { TurnBatch } from "./turn-batch.js";

test("whoever comes in one turn is served after it, in order, and nobody else is in between", async () => {
  const seen: string[] = [];
  const cohort = new TurnBatch<string>((member) => {
    seen.push(member);
    void Promise.resolve().then(() => seen.push(`after ${member}`));
  });
  cohort.add("first");
  cohort.add("second");
  await Promise.resolve();
  expect(seen).toEqual([]);
  await setImmediate();
  expect(seen).toEqual(["first", "second", "after first", "after second"]);
});

test("whoever comes while others are served is served in the next turn", async () => {
  const seen: string[] = [];
  const cohort = new TurnBatch<string>((member) => {
    seen.push(member);
    if (member === "first") cohort.add("late");
  });
  cohort.add("first");
  cohort.add("second");
  await setImmediate();
  expect(seen).toEqual(["first", "second"]);
  await setImmediate();
  expect(seen).toEqual(["first", "second", "late"]);
});
