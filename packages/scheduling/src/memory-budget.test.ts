import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { MemoryBudget } from "./memory-budget.js";

const mb = 1024 * 1024;
const waiting = (caller: string) => ({ caller, signal: new AbortController().signal });

function createFixture() {
  const clock = new ManualClock();
  return { clock, budget: new MemoryBudget(100 * mb, clock) };
}

/** Takes memory for a body, and notes when it was given. */
function take(budget: MemoryBudget, bytes: number, caller = "a", signal = waiting(caller).signal) {
  const memory = budget.open();
  const request = { memory, state: "waiting" };
  const taken = memory.takeForBody(bytes, { caller, signal }) ?? Promise.resolve();
  const settled = taken.then(
    () => {
      request.state = "taken";
    },
    (failure: { code?: string; message: string }) => {
      request.state = failure.code ?? failure.message;
    },
  );
  return { ...request, settled, current: () => request.state };
}

test("bodies take half of the memory, and the next ones wait until it is given back", async () => {
  const { budget } = createFixture();
  const first = take(budget, 30 * mb);
  const second = take(budget, 30 * mb);
  await first.settled;

  const before = second.current();
  first.memory.release();
  await second.settled;

  expect([before, second.current(), budget.inUse]).toEqual(["waiting", "taken", 30 * mb]);
});

test("a body that finds no memory within ten seconds is refused", async () => {
  const { budget, clock } = createFixture();
  take(budget, 50 * mb);
  const startedAt = clock.now();
  const refused = take(budget, mb);

  await clock.runUntil(() => refused.current() !== "waiting");

  expect([refused.current(), clock.now() - startedAt]).toEqual(["gateway_overloaded", 10_000]);
  expect(budget.inUse).toBe(50 * mb);
});

test("a small body does not wait for large ones, unless nothing at all is left", async () => {
  const { budget } = createFixture();
  take(budget, 50 * mb);
  take(budget, 50 * mb);
  const small = budget.open();

  expect(small.takeForBody(1000, waiting("a"))).toBeUndefined();

  expect(budget.open().forReplies(49 * mb, "a")(waiting("a").signal)).toBeUndefined();
  const fill = budget.open();
  for (let bytes = budget.inUse; bytes + 64 * 1024 <= 100 * mb; bytes += 64 * 1024)
    expect(fill.takeForBody(64 * 1024, waiting("a"))).toBeUndefined();
  const late = take(budget, 64 * 1024);
  await Promise.resolve();
  expect(late.current()).toBe("waiting");
});

test("a body larger than the memory goes when it is alone", async () => {
  const { budget } = createFixture();
  const small = take(budget, mb);
  const huge = take(budget, 1000 * mb);
  await small.settled;

  const before = huge.current();
  small.memory.release();
  await huge.settled;

  expect([before, huge.current(), budget.inUse]).toEqual(["waiting", "taken", 50 * mb]);
});

test("replies take the memory that bodies have left, once for a request, and wait without a timeout", async () => {
  const { budget, clock } = createFixture();
  take(budget, 50 * mb);
  const first = budget.open();
  const takeFirst = first.forReplies(40 * mb, "a");
  const takeSecond = budget.open().forReplies(40 * mb, "a");
  const { signal } = new AbortController();

  expect([takeFirst(signal), takeFirst(signal)]).toEqual([undefined, undefined]);
  expect(budget.inUse).toBe(90 * mb);
  let isTaken = false;
  const second = takeSecond(signal)?.then(() => {
    isTaken = true;
  });
  clock.advance(60_000);
  await Promise.resolve();
  expect(isTaken).toBe(false);
  first.release();
  await second;

  expect([isTaken, budget.inUse]).toEqual([true, 90 * mb]);
});

test("a waiter whose caller leaves takes nothing", async () => {
  const { budget } = createFixture();
  const first = take(budget, 50 * mb);
  const leaving = new AbortController();
  const left = take(budget, 30 * mb, "a", leaving.signal);

  leaving.abort(new Error("The caller left."));
  await left.settled;
  first.memory.release();

  expect([left.current(), budget.inUse]).toEqual(["The caller left.", 0]);
});

test("callers take turns", async () => {
  const { budget } = createFixture();
  const first = take(budget, 50 * mb, "a");
  const rest = ["a", "a", "b"].map((caller) => take(budget, 50 * mb, caller));
  const order: number[] = [];
  rest.forEach((one, index) => {
    void one.settled.then(() => {
      order.push(index);
      one.memory.release();
    });
  });

  first.memory.release();
  await Promise.all(rest.map(({ settled }) => settled));

  expect(order).toEqual([0, 2, 1]);
});

/** Takes memory for replies, and notes when it was given. */
function takeForReplies(budget: MemoryBudget, bytes: number, caller: string) {
  const memory = budget.open();
  let isTaken = false;
  const take = async (more = bytes): Promise<void> => {
    await memory.forReplies(more, caller)(waiting(caller).signal);
    isTaken = true;
  };
  const taken = take();
  return { memory, take, taken, isTaken: () => isTaken };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a key has as much memory for replies as it leaves free, and its line does not hold up other keys", async () => {
  const { budget } = createFixture();
  const greedy = Array.from({ length: 4 }, () => takeForReplies(budget, 30 * mb, "greedy"));
  const modest = takeForReplies(budget, 40 * mb, "modest");
  await turn();
  const before = [...greedy, modest].map(({ isTaken }) => isTaken());

  greedy[0]!.memory.release();
  greedy[1]!.memory.release();
  await turn();

  expect(before).toEqual([true, true, false, false, true]);
  expect(greedy.map(({ isTaken }) => isTaken())).toEqual([true, true, true, false]);
});

test("what has not arrived is given back, and the next reply takes it", async () => {
  const { budget } = createFixture();
  const first = takeForReplies(budget, 50 * mb, "a");
  const second = takeForReplies(budget, 50 * mb, "b");
  const third = takeForReplies(budget, 50 * mb, "c");
  await turn();
  const before = third.isTaken();

  first.memory.settleReplies(10 * mb);
  second.memory.settleReplies(10 * mb);
  await turn();
  const used = budget.inUse;
  for (const { memory } of [first, second, third]) memory.release();

  expect([before, third.isTaken(), used, budget.inUse]).toEqual([false, true, 70 * mb, 0]);
});

test("keys that hold much do not fill every gap while one that holds nothing waits", async () => {
  const { budget } = createFixture();
  const held = ["a", "a", "b", "b", "c", "c"].map((caller) => takeForReplies(budget, 13 * mb, caller));
  const large = takeForReplies(budget, 40 * mb, "large");
  const more = ["a", "b", "c"].map((caller) => takeForReplies(budget, 13 * mb, caller));

  held[0]!.memory.release();
  await turn();
  const withoutFirst = [large, ...more].map(({ isTaken }) => isTaken());
  held[2]!.memory.release();
  await turn();

  expect(withoutFirst).toEqual([false, false, false, false]);
  expect([large, ...more].map(({ isTaken }) => isTaken())).toEqual([true, false, false, false]);
});

test("a request that has begun to take goes on before the others of its key", async () => {
  const { budget } = createFixture();
  const begun = takeForReplies(budget, 40 * mb, "a");
  const other = takeForReplies(budget, 40 * mb, "b");
  const behind = takeForReplies(budget, 40 * mb, "a");
  const further = begun.take(30 * mb);
  await turn();

  other.memory.release();
  await further;

  expect([behind.isTaken(), budget.inUse]).toEqual([false, 70 * mb]);
});

test("a body that waits for the share of its key does not hold up those of other keys", async () => {
  const { budget } = createFixture();
  const bodies = ["a", "a", "b"].map((caller) => take(budget, 20 * mb, caller));
  await turn();

  expect(bodies.map(({ current }) => current())).toEqual(["taken", "waiting", "taken"]);
});
