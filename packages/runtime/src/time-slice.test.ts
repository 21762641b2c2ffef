import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { TimeSlice, TurnBudget } from "./time-slice.js";

/** An event loop whose clock and turns are moved by hand. */
function openLoop() {
  let nowMs = 1000;
  let next: (() => void)[] = [];
  const budget = new TurnBudget(
    () => nowMs,
    (run) => next.push(run),
  );
  /** Runs the deferred work, and everything that follows from it without another turn. */
  const turn = async () => {
    const due = next;
    next = [];
    for (const run of due) run();
    await setImmediate();
  };
  return {
    begin: () => new TimeSlice(budget),
    nextBulkTurn: () => budget.yieldBulk(),
    work: (ms: number) => {
      nowMs += ms;
    },
    turn,
    /** The free turns, and the turn that resumes a piece of work. */
    resume: async () => {
      for (let turns = 0; turns < 7; turns += 1) await turn();
    },
    get isWaiting() {
      return next.length > 0;
    },
  };
}

test("work may take a whole turn where it is alone", () => {
  const loop = openLoop();
  const slice = loop.begin();

  loop.work(4);
  expect(slice.isOver).toBe(false);

  loop.work(0.5);
  expect(slice.isOver).toBe(true);
});

test("work of several requests in one turn shares its time", async () => {
  const loop = openLoop();
  const [first, second] = [loop.begin(), loop.begin()];

  loop.work(3);
  expect([first.isOver, second.isOver]).toEqual([false, false]);
  loop.work(2);
  expect([first.isOver, second.isOver]).toEqual([true, true]);

  const yielded = first.yield();
  const third = loop.begin();
  loop.work(3);
  expect(third.isOver).toBe(true);
  await loop.resume();
  await yielded;
});

test("a small piece of work need not yield, however long the turn is already", () => {
  const loop = openLoop();
  const large = loop.begin();
  loop.work(20);
  void large.yield();

  const small = loop.begin();
  loop.work(1.9);

  expect(small.isOver).toBe(false);
});

test("one piece of work is resumed at a time, the one that waits longest, with a whole slice", async () => {
  const loop = openLoop();
  const slices = [loop.begin(), loop.begin(), loop.begin()];
  const resumed: number[] = [];
  const run = async (index: number) => {
    await slices[index]?.yield();
    resumed.push(index);
    // The first one goes to the end of the line.
    if (index === 0) await slices[index]?.yield();
  };
  const all = Promise.all([run(0), run(1), run(2)]);

  await loop.resume();
  expect(resumed).toEqual([0]);
  loop.work(3);
  expect(slices[0]?.isOver).toBe(false);

  await loop.resume();
  expect(resumed).toEqual([0, 1]);
  await loop.resume();
  expect(resumed).toEqual([0, 1, 2]);
  await loop.resume();
  await all;
  expect(loop.isWaiting).toBe(false);
});

test("bulk work takes turns with all other work, however many pieces of it wait", async () => {
  const loop = openLoop();
  const resumed: string[] = [];
  const note = (name: string) => () => void resumed.push(name);
  const all = [
    ...["bulk 1", "bulk 2", "bulk 3"].map((name) => loop.nextBulkTurn().then(note(name))),
    ...["live 1", "live 2"].map((name) => loop.begin().yield().then(note(name))),
  ];

  for (let pieces = 0; pieces < 5; pieces += 1) await loop.resume();

  expect(resumed).toEqual(["live 1", "bulk 1", "live 2", "bulk 2", "bulk 3"]);
  expect(loop.isWaiting).toBe(false);
  await Promise.all(all);
});

test("six turns are free of long work between two slices", async () => {
  const loop = openLoop();
  let isResumed = false;
  const resumed = loop
    .begin()
    .yield()
    .then(() => {
      isResumed = true;
    });

  for (let turns = 0; turns < 6; turns += 1) await loop.turn();
  expect(isResumed).toBe(false);
  await loop.turn();

  expect(isResumed).toBe(true);
  await resumed;
});

test("after a pause a new piece of work has a whole slice", () => {
  const loop = openLoop();
  loop.begin();
  loop.work(1000);

  const slice = loop.begin();
  loop.work(3);

  expect(slice.isOver).toBe(false);
});

test("work that has waited for something else has a whole slice again", () => {
  const loop = openLoop();
  const slice = loop.begin();
  loop.work(1000);
  expect(slice.isOver).toBe(true);

  slice.renew();
  loop.work(3);

  expect(slice.isOver).toBe(false);
});

test("the event loop of the thread turns between two slices", async () => {
  const slice = new TimeSlice();
  let turns = 0;
  void setImmediate().then(() => {
    turns += 1;
  });

  await slice.yield();

  expect(turns).toBe(1);
});
