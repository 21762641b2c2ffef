import { expect, test } from "vitest";
import { KeyUses } from "./key-uses.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

function createFixture() {
  const store = new MemoryKeyStore();
  const failures: unknown[] = [];
  const uses = new KeyUses({
    store,
    patience: () => new AbortController().signal,
    onFailure: (failure) => failures.push(failure),
  });
  return { store, uses, failures };
}

test("the latest use of each key is written down, once", async () => {
  const { store, uses } = createFixture();
  uses.note("a", 1);
  uses.note("b", 2);
  uses.note("a", 3);

  await uses.write();
  await uses.write();

  expect(store.touched).toEqual([
    [
      ["a", 3],
      ["b", 2],
    ],
  ]);
});

test("what cannot be written is written the next time, unless there is something later", async () => {
  const { store, uses, failures } = createFixture();
  uses.note("a", 1);
  uses.note("b", 2);
  store.gate = Promise.reject(new Error("away"));
  const writing = uses.write();
  uses.note("b", 4);
  await writing;

  store.gate = undefined;
  await uses.write();

  expect(failures).toEqual([new Error("away")]);
  expect(store.touched).toEqual([
    [
      ["a", 1],
      ["b", 4],
    ],
  ]);
});
