import { expect, test } from "vitest";
import { KeyUses, storedEveryMs } from "./key-uses.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

function createFixture() {
  const store = new MemoryKeyStore();
  const failures: unknown[] = [];
  const clock = { now: 1_000_000 };
  const uses = new KeyUses({
    store,
    timeout: () => new AbortController().signal,
    onFailure: (failure) => failures.push(failure),
    now: () => clock.now,
  });
  return { store, uses, failures, clock };
}

test("the latest use of each key is written, once", async () => {
  const { store, uses } = createFixture();
  uses.record("a", 1);
  uses.record("b", 2);
  uses.record("a", 3);

  await uses.flush();
  await uses.flush();

  expect(store.touched).toEqual([
    [
      ["a", 3],
      ["b", 2],
    ],
  ]);
});

test("a failed flush is repeated with the next one, except for later uses", async () => {
  const { store, uses, failures } = createFixture();
  uses.record("a", 1);
  uses.record("b", 2);
  store.gate = Promise.reject(new Error("unavailable"));
  const flushing = uses.flush();
  uses.record("b", 4);
  await flushing;

  store.gate = undefined;
  await uses.flush();

  expect(failures).toEqual([new Error("unavailable")]);
  expect(store.touched).toEqual([
    [
      ["a", 1],
      ["b", 4],
    ],
  ]);
});

test("a key that is used all the time is written once a minute, and when the gateway stops", async () => {
  const { store, uses, clock } = createFixture();
  uses.record("a", 1);
  await uses.flush();

  uses.record("a", 2);
  uses.record("new", 3);
  await uses.flush();
  clock.now += storedEveryMs - 1;
  await uses.flush();
  const early = store.touched.slice(1);
  clock.now += 1;
  await uses.flush();
  uses.record("a", 4);
  await uses.close();

  expect(early).toEqual([[["new", 3]]]);
  expect(store.touched.slice(2)).toEqual([[["a", 2]], [["a", 4]]]);
});

test("a clock that was set back delays no write", async () => {
  const { store, uses, clock } = createFixture();
  uses.record("a", 1);
  await uses.flush();

  uses.record("a", 2);
  clock.now -= 10 * storedEveryMs;
  await uses.flush();

  expect(store.touched).toEqual([[["a", 1]], [["a", 2]]]);
});

test("only so many keys are remembered, and one that is forgotten is written early", async () => {
  const { store, uses } = createFixture();
  const flush = async (...ids: readonly string[]) => {
    for (const id of ids) uses.record(id, 1);
    await uses.flush();
  };

  await flush(...Array.from({ length: 10_000 }, (_, number) => `key ${number}`));
  await flush("key 1");
  await flush("one more");
  await flush("key 1");

  expect(store.touched.map((written) => written.length)).toEqual([10_000, 1, 1]);
});
