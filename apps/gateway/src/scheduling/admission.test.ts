import { expect, test } from "vitest";
import { ManualClock } from "../domain/test/clocks.js";
import { embeddingModel } from "../embeddings/test/embedding-model.js";
import { FairQueue, TargetAdmission } from "./admission.js";
import { Scheduler } from "./scheduler.js";

const { signal } = new AbortController();

/** A queue in front of a number of slots. */
function createFixture(slots: number, max = 100) {
  let free = slots;
  const queue = new FairQueue<string>(max);
  const admitted: string[] = [];
  const tryAcquire = (caller: string) => {
    if (free === 0) return undefined;
    free -= 1;
    return caller;
  };
  const enter = (caller: string, until = signal) => {
    const entered = queue.enter(caller, () => tryAcquire(caller), until).then(() => admitted.push(caller));
    entered.catch(() => undefined);
    return entered;
  };
  const release = async () => {
    free += 1;
    queue.wake();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { queue, admitted, enter, release };
}

test("a free slot is given at once", async () => {
  const { enter, admitted } = createFixture(1);

  await enter("a");

  expect(admitted).toEqual(["a"]);
});

test("callers take turns, however many requests each has waiting", async () => {
  const { enter, admitted, release } = createFixture(0);
  for (const caller of ["a", "a", "a", "a", "b", "c"]) void enter(caller);

  for (let slot = 0; slot < 6; slot += 1) await release();

  expect(admitted).toEqual(["a", "b", "c", "a", "a", "a"]);
});

test("a full queue refuses at once", async () => {
  const { enter } = createFixture(0, 2);
  void enter("a");
  void enter("a");

  await expect(enter("b")).rejects.toMatchObject({ code: "rate_limit_exceeded", retryAfterMs: 1000 });
});

test("a request that leaves the queue is not admitted, and no longer counts as waiting", async () => {
  const { enter, admitted, release, queue } = createFixture(0);
  const leaving = new AbortController();
  const aborted = enter("a", leaving.signal);
  void enter("b");

  leaving.abort(new Error("left"));
  await expect(aborted).rejects.toThrow("left");
  await release();

  expect([admitted, queue.waiting]).toEqual([["b"], 0]);
});

test("a request waits for capacity no longer than its deadline allows", async () => {
  const clock = new ManualClock();
  const admission = new TargetAdmission({ clock, scheduler: new Scheduler({ clock, random: () => 0 }) });
  const model = embeddingModel({}, { capacity: { maxConcurrency: 1 } });
  const startedAt = clock.now();
  const acquire = () =>
    admission.acquire({ model, context: { caller: "a", signal }, tokens: 1 }, [], startedAt + 5000);
  await acquire();
  let refusedAt: number | undefined;

  const refused = acquire().catch((failure: unknown) => {
    refusedAt = clock.now();
    return failure;
  });
  await clock.runUntil(() => refusedAt !== undefined);

  expect(await refused).toMatchObject({ code: "rate_limit_exceeded" });
  expect(refusedAt).toBe(startedAt + 5000);
});
