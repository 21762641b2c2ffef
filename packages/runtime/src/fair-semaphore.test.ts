import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairSemaphore } from "./fair-semaphore.js";

/** Tasks that end one by one, when the test says so, and the keys of those that have begun. */
class Tasks {
  readonly begun: string[] = [];
  readonly #running: (() => void)[] = [];
  readonly #semaphore: FairSemaphore;

  constructor(permits: number) {
    this.#semaphore = new FairSemaphore(permits);
  }

  begin(key: string, count = 1): void {
    for (let task = 0; task < count; task += 1)
      void this.#semaphore.run(key, () => {
        this.begun.push(key);
        return new Promise<void>((resolve) => this.#running.push(resolve));
      });
  }

  async endOne(): Promise<void> {
    this.#running.shift()?.();
    await nextTurn();
  }
}

test("as many tasks run as there are permits", async () => {
  const tasks = new Tasks(2);
  tasks.begin("a", 3);
  await nextTurn();

  const before = [...tasks.begun];
  await tasks.endOne();

  expect([before, tasks.begun]).toEqual([
    ["a", "a"],
    ["a", "a", "a"],
  ]);
});

test("a task of a modest key waits for one end, whatever a greedy key has waiting", async () => {
  const tasks = new Tasks(2);
  tasks.begin("greedy", 1000);
  await nextTurn();
  const waits: number[] = [];

  for (let task = 0; task < 20; task += 1) {
    const begunBefore = tasks.begun.length;
    tasks.begin("modest");
    while (tasks.begun.lastIndexOf("modest") < begunBefore) await tasks.endOne();
    waits.push(tasks.begun.length - begunBefore);
  }

  // Itself, and at most one of the other key before it.
  expect(Math.max(...waits)).toBeLessThanOrEqual(2);
});

test("a task that fails gives its place to the next", async () => {
  const semaphore = new FairSemaphore(1);
  const failed = semaphore.run("a", () => Promise.reject(new Error("broken")));
  const next = semaphore.run("b", async () => "done");

  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("done");
});
