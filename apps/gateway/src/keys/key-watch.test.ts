import { expect, test } from "vitest";
import { GatewayError } from "../errors.js";
import { KeyWatch } from "./key-watch.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

const key = { name: "a", limits: {}, isDisabled: false, digest: Buffer.alloc(32), lastFour: "aaaa" };

async function createFixture(store: MemoryKeyStore) {
  const applied: string[][] = [];
  const told: unknown[] = [];
  const impatience = { signal: new AbortController().signal };
  const watch = await KeyWatch.open({
    store,
    apply: (changed) => applied.push(changed.map(({ id, name }) => `${id} ${name}`)),
    patience: () => impatience.signal,
    onFailure: (failure) => told.push(failure instanceof GatewayError ? failure.code : failure),
    onRecovery: () => told.push("recovered"),
  });
  return { watch, applied, told, impatience };
}

test("what happened before it was opened is not told again", async () => {
  const store = new MemoryKeyStore();
  await store.create(key);
  const { watch, applied } = await createFixture(store);

  await watch.look();
  await store.create({ ...key, name: "b" });
  await watch.look();
  await watch.look();

  expect(applied.filter(({ length }) => length > 0)).toEqual([["key_1 b"]]);
});

test("there is one round at a time, and catching up waits for a round of its own", async () => {
  const store = new MemoryKeyStore();
  const { watch, applied } = await createFixture(store);
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });

  const rounds = [watch.look(), watch.look()];
  await store.create(key);
  const caughtUp = watch.catchUp();
  open();
  await caughtUp;

  expect(rounds[0]).toBe(rounds[1]);
  expect(applied.flat()).toEqual(["key_0 a"]);
});

test("a store that is away, or does not answer, is told of once, and once that it is back", async () => {
  const store = new MemoryKeyStore();
  const { watch, applied, told, impatience } = await createFixture(store);
  const changesSince = store.changesSince.bind(store);
  await store.create(key);

  store.changesSince = () => Promise.reject(new Error("away"));
  await watch.look();
  await watch.look();
  store.changesSince = () => new Promise(() => {});
  impatience.signal = AbortSignal.abort(new Error("too long"));
  await watch.look();
  impatience.signal = new AbortController().signal;
  store.changesSince = changesSince;
  await watch.look();

  expect(told).toEqual([new Error("away"), "recovered"]);
  expect(applied.flat()).toEqual(["key_0 a"]);
});
