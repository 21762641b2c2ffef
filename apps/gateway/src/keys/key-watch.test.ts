import { GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import { KeyWatch } from "./key-watch.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

const key = { name: "a", limits: {}, isDisabled: false, digest: Buffer.alloc(32), lastFour: "aaaa" };

async function createFixture(store: MemoryKeyStore) {
  const applied: string[][] = [];
  const events: unknown[] = [];
  const deadline = { signal: new AbortController().signal };
  const watch = new KeyWatch({
    store,
    apply: (changed) => applied.push(changed.map(({ id, name }) => `${id} ${name}`)),
    timeout: () => deadline.signal,
    onFailure: (failure) => events.push(failure instanceof GatewayError ? failure.code : failure),
    onRecovery: () => events.push("recovered"),
  });
  await watch.begin();
  return { watch, applied, events, deadline };
}

test("changes from before it was opened are not applied", async () => {
  const store = new MemoryKeyStore();
  await store.create(key);
  const { watch, applied } = await createFixture(store);

  await watch.poll();
  await store.create({ ...key, name: "b" });
  await watch.poll();
  await watch.poll();

  expect(applied.filter(({ length }) => length > 0)).toEqual([["key_1 b"]]);
});

test("polls do not overlap, and catching up waits for a new poll", async () => {
  const store = new MemoryKeyStore();
  const { watch, applied } = await createFixture(store);
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });

  const polls = [watch.poll(), watch.poll()];
  await store.create(key);
  const caughtUp = watch.catchUp();
  open();
  await caughtUp;

  expect(polls[0]).toBe(polls[1]);
  expect(applied.flat()).toEqual(["key_0 a"]);
});

test("an outage of the store is reported once, and so is its end", async () => {
  const store = new MemoryKeyStore();
  const { watch, applied, events, deadline } = await createFixture(store);
  const changesSince = store.changesSince.bind(store);
  await store.create(key);

  store.changesSince = () => Promise.reject(new Error("unavailable"));
  await watch.poll();
  await watch.poll();
  store.changesSince = () => new Promise(() => {});
  deadline.signal = AbortSignal.abort(new Error("too long"));
  await watch.poll();
  deadline.signal = new AbortController().signal;
  store.changesSince = changesSince;
  await watch.poll();

  expect(events).toEqual([new Error("unavailable"), "recovered"]);
  expect(applied.flat()).toEqual(["key_0 a"]);
});
