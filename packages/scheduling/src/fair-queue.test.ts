import { GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.js";

const { signal } = new AbortController();

/** A queue in front of some slots. */
function createFixture(slots: number, max = 100) {
  let free = slots;
  const queue = new FairQueue<string>({
    max,
    whenFull: () => new GatewayError("gateway_overloaded", "The queue is full."),
  });
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
  void enter("b");

  await expect(enter("c")).rejects.toMatchObject({ message: "The queue is full." });
});

test("a greedy caller fills half of the places at most, and a modest one waits for one of its turns", async () => {
  const { enter, admitted, release, queue } = createFixture(0, 100);
  for (let count = 0; count < 1000; count += 1) void enter("greedy");
  const waiting = queue.waiting;

  void enter("modest");
  await release();
  await release();

  expect([waiting, admitted]).toEqual([50, ["greedy", "modest"]]);
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
