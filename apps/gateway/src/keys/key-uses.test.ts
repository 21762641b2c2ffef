import { expect, test } from "vitest";
import { KeyUses } from "./key-uses.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

function createFixture() {
  const store = new MemoryKeyStore();
  const failures: unknown[] = [];
  const uses = new KeyUses({
    store,
    timeout: () => new AbortController().signal,
    onFailure: (failure) => failures.push(failure),
  });
  return { store, uses, failures };
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
