import { expect, test } from "vitest";
import { ManualClock } from "../domain/test/clocks.js";
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
