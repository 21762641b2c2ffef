import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { every, taskTallies } from "./every.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const settle = () => new Promise(setImmediate);

test("a task runs again and again until it is stopped", async () => {
  let runs = 0;
  const repetition = every(1000, () => (runs += 1), { task: "a" });

  const counts: number[] = [];
  for (let period = 0; period < 3; period += 1) {
    vi.advanceTimersByTime(1000);
    await settle();
    counts.push(runs);
  }
  await repetition.stop();
  vi.advanceTimersByTime(10_000);

  expect([counts, runs]).toEqual([[1, 2, 3], 3]);
});

test("a run that takes longer than the period is not joined by another one, and a stop waits for it", async () => {
  let end = () => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  let runs = 0;
  const run = () => {
    runs += 1;
    return promise;
  };
  const repetition = every(1000, run, { task: "b", isImmediate: true });
  vi.advanceTimersByTime(10_000);
  await settle();
  let hasStopped = false;
  const stopped = repetition.stop().then(() => (hasStopped = true));
  await settle();
  const before = hasStopped;
  end();
  await stopped;

  expect([runs, before, hasStopped]).toEqual([1, false, true]);
});

test("a run that waits for nothing has ended when the next one is due", () => {
  let runs = 0;
  void every(1000, () => (runs += 1), { task: "e" });

  vi.advanceTimersByTime(3000);

  expect([runs, taskTallies().get("e")]).toEqual([3, expect.objectContaining({ runs: 3, failures: 0 })]);
});

test("a failure is told and counted, and the next run comes", async () => {
  const failures: unknown[] = [];
  const repetition = every(1000, () => Promise.reject(new Error("down")), {
    task: "c",
    onFailure: (failure) => failures.push(failure),
  });
  for (let period = 0; period < 2; period += 1) {
    vi.advanceTimersByTime(1000);
    await settle();
  }
  await repetition.stop();

  expect(failures).toEqual([new Error("down"), new Error("down")]);
  expect(taskTallies().get("c")).toMatchObject({ runs: 2, failures: 2 });
});

test("processes that start together do not run together", () => {
  const firstAt = (share: number) => {
    vi.spyOn(Math, "random").mockReturnValue(share);
    let ranAt: number | undefined;
    let now = 0;
    void every(1000, () => (ranAt ??= now), { task: "d" });
    for (; ranAt === undefined; now += 10) vi.advanceTimersByTime(10);
    return ranAt;
  };

  expect(firstAt(0) - firstAt(0.999)).toBeGreaterThan(80);
});
