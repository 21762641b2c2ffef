import { afterEach, expect, test } from "vitest";
import type { LeasedWork } from "./leased-work.js";
import { Worker } from "./worker.js";

interface Item {
  readonly id: string;
  readonly attempts: number;
}

let worker: Worker<Item> | undefined;
afterEach(() => worker?.close());

test("it works on some items at a time, and on the next when one is done", async () => {
  const { started, finish } = begin({ items: ["a", "b", "c"], concurrency: 2 });

  await expect.poll(() => started).toEqual(["a", "b"]);
  finish("a");
  await expect.poll(() => started).toEqual(["a", "b", "c"]);
  finish("b");
  finish("c");
});

test("it is woken for a new item, without waiting for the next look", async () => {
  const { started, add, finish } = begin({ items: [], concurrency: 2 });
  add("late");

  worker?.wake();

  await expect.poll(() => started).toEqual(["late"]);
  finish("late");
});

test("an idle worker reads once for each look, and claims nothing", async () => {
  const { calls, look } = begin({ items: [], concurrency: 2 });
  await expect.poll(() => calls).toEqual(["inspect"]);

  look();

  await expect.poll(() => calls).toEqual(["inspect", "inspect"]);
});

test("an item that another worker has left is recovered, and runs", async () => {
  const { started, abandoned, look, finish, calls } = begin({ items: [], concurrency: 2 });
  await expect.poll(() => calls).toEqual(["inspect"]);
  abandoned.push("left");

  look();

  await expect.poll(() => started).toEqual(["left"]);
  finish("left");
});

test("an item that fails is reported, and the others go on", async () => {
  const { started, failures, finish, fail } = begin({ items: ["a", "b"], concurrency: 1 });
  await expect.poll(() => started).toEqual(["a"]);

  fail("a");

  await expect.poll(() => started).toEqual(["a", "b"]);
  expect(failures).toEqual([new Error("a failed")]);
  finish("b");
});

test("an item that was claimed too often is given up, and the next one runs", async () => {
  const { started, givenUp, attempts, finish } = begin({ items: ["poison", "last", "a"], concurrency: 2 });
  attempts.set("poison", 4).set("last", 3);

  await expect.poll(() => started).toEqual(["last", "a"]);
  expect(givenUp).toEqual(["poison"]);
  finish("last");
  finish("a");
});

test("a queue that cannot be read is reported, and read again later", async () => {
  const { started, failures, breakQueue, finish, look } = begin({ items: ["a"], concurrency: 1 });
  breakQueue(1);

  await expect.poll(() => failures).toEqual([new Error("The queue is down.")]);
  look();

  await expect.poll(() => started).toEqual(["a"]);
  finish("a");
});

test("closing waits for items that have begun, and claims no more", async () => {
  const { started, finish } = begin({ items: ["a", "b"], concurrency: 1 });
  await expect.poll(() => started).toEqual(["a"]);

  let isClosed = false;
  const closing = worker?.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  expect(isClosed).toBe(false);
  finish("a");

  await closing;
  expect(started).toEqual(["a"]);
});

/** Starts a worker whose items end when the test says so. It looks for work when it is woken, or told to `look`. */
function begin({ items, concurrency }: { readonly items: readonly string[]; readonly concurrency: number }) {
  const queued = [...items];
  const started: string[] = [];
  const attempts = new Map<string, number>();
  const givenUp: string[] = [];
  const abandoned: string[] = [];
  const calls: string[] = [];
  const failures: unknown[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (failure: Error) => void }>();
  let broken = 0;
  let look = () => {};
  const work: LeasedWork<Item> = {
    inspect: async () => {
      broken -= 1;
      if (broken >= 0) throw new Error("The queue is down.");
      calls.push("inspect");
      return { hasQueued: queued.length > 0, hasAbandoned: abandoned.length > 0 };
    },
    claim: async () => {
      calls.push("claim");
      const id = queued.shift();
      return id === undefined ? undefined : { id, attempts: attempts.get(id) ?? 1 };
    },
    renew: async () => undefined,
    recover: async () => {
      calls.push("recover");
      return queued.push(...abandoned.splice(0));
    },
  };
  worker = new Worker({
    work,
    holder: "me",
    concurrency,
    random: () => 0,
    attemptsMax: 3,
    giveUp: async ({ id }) => void givenUp.push(id),
    onFailure: (failure) => failures.push(failure),
    clock: {
      now: () => 0,
      wait: (_ms, signal) =>
        new Promise((resolve, reject) => {
          look = resolve;
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    },
    run: ({ id }) =>
      new Promise<void>((resolve, reject) => {
        started.push(id);
        ends.set(id, { resolve, reject });
      }),
  });
  queueMicrotask(() => worker?.start());
  return {
    started,
    attempts,
    givenUp,
    abandoned,
    calls,
    failures,
    add: (id: string) => queued.push(id),
    finish: (id: string) => ends.get(id)?.resolve(),
    fail: (id: string) => ends.get(id)?.reject(new Error(`${id} failed`)),
    breakQueue: (times: number) => {
      broken = times;
    },
    look: () => look(),
  };
}
