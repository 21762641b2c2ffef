import { createHash } from "node:crypto";
import { GatewayError } from "@model-gateway/domain/errors";
import { createKeyDigest, createKeyText } from "@model-gateway/domain/key-text";
import { expect, test } from "vitest";
import { type ConfiguredKey, KeyRing } from "./key-ring.js";
import type { NewKey, StoredKey } from "./key-store.js";
import { KeyWatch } from "./key-watch.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

const digest = createKeyDigest("a secret of the tests");
const unavailable = () => Promise.reject(new GatewayError("storage_unavailable", "unavailable"));

async function createFixture({ configured = [] }: { configured?: ConfiguredKey[] } = {}) {
  const store = new MemoryKeyStore();
  const uses: [string, number][] = [];
  const clock = { now: 1000 };
  const timedOut = new AbortController();
  const timeout = () => AbortSignal.any([timedOut.signal]);
  const ring = new KeyRing({
    configured,
    store,
    digest,
    timeout,
    onUse: (id, at) => uses.push([id, at]),
    now: () => clock.now,
  });
  const watch = new KeyWatch({
    store,
    apply: (changed) => ring.apply(changed),
    timeout,
    onFailure: () => undefined,
    onRecovery: () => undefined,
  });
  await watch.begin();
  const add = async (more: Partial<NewKey> = {}): Promise<{ text: string; stored: StoredKey }> => {
    const text = createKeyText("mg_");
    const key = {
      name: "a key",
      limits: {},
      isDisabled: false,
      digest: digest(text),
      lastFour: text.slice(-4),
    };
    return { text, stored: await store.create({ ...key, ...more }) };
  };
  return { store, ring, watch, add, uses, clock, timedOut };
}

test("a key is looked up once", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();

  const found = await ring.find(text);
  const again = await ring.find(text);

  expect(found).toEqual(stored);
  expect(again).toEqual(stored);
  expect(store.lookups).toBe(1);
});

test("concurrent requests with the same key share one lookup", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();

  const found = await Promise.all([ring.find(text), ring.find(text), ring.find(text)]);

  expect(found).toEqual([stored, stored, stored]);
  expect(store.lookups).toBe(1);
});

test("a text that cannot be a key is refused without asking the store", async () => {
  const { store, ring, add } = await createFixture();
  const { text } = await add();

  const texts = ["", "mg_", "wrong", `${text}x`, text.slice(0, -1), text.replace(/.$/, "!")];
  const verdicts = await Promise.all(texts.map((one) => ring.find(one)));

  expect(verdicts).toEqual(Array(6).fill("unknown"));
  expect(store.lookups).toBe(0);
});

test("an unknown key is looked up once, and works as soon as it is created", async () => {
  const { store, ring, watch } = await createFixture();
  const text = createKeyText("mg_");
  const before = [await ring.find(text), await ring.find(text)];

  const stored = await store.create({
    name: "late",
    limits: {},
    isDisabled: false,
    digest: digest(text),
    lastFour: "late",
  });
  await watch.poll();

  expect(before).toEqual(["unknown", "unknown"]);
  expect(await ring.find(text)).toEqual(stored);
  expect(store.lookups).toBe(2);
});

test("a change of a known key takes effect with the next poll", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  await ring.find(text);
  await store.change(stored.id, { isDisabled: true });
  const beforePoll = await ring.find(text);

  await watch.poll();
  const disabled = await ring.find(text);
  await store.change(stored.id, { isDisabled: false, name: "another name" });
  await watch.poll();
  const enabled = await ring.find(text);
  await store.revoke(stored.id);
  await watch.poll();

  expect(beforePoll).toEqual(stored);
  expect(disabled).toBe("disabled");
  expect(enabled).toEqual({ ...stored, name: "another name" });
  expect(await ring.find(text)).toBe("revoked");
  expect(store.lookups).toBe(1);
});

test("a key that is revoked during its lookup is refused", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const looking = ring.find(text);

  store.gate = undefined;
  await store.revoke(stored.id);
  await watch.poll();
  open();

  expect(await looking).toBe("revoked");
  expect(await ring.find(text)).toBe("revoked");
});

test("a key stops working at its expiry time", async () => {
  const { ring, add, clock } = await createFixture();
  const { text, stored } = await add({ expiresAt: 2000 });
  clock.now = 1999;
  const before = await ring.find(text);

  clock.now = 2000;

  expect(before).toEqual(stored);
  expect(await ring.find(text)).toBe("expired");
});

test("after a rotation both secrets work, until the earlier one expires", async () => {
  const { store, ring, watch, add, clock, uses } = await createFixture();
  const { text, stored } = await add();
  await ring.find(text);
  const next = createKeyText("mg_");
  const rotation = { digest: digest(next), lastFour: next.slice(-4), overlapMs: 2000 };

  const rotated = await store.rotate(stored.id, rotation);
  await watch.poll();
  const during = [await ring.find(text), await ring.find(next)];
  clock.now = 2000;
  const after = [await ring.find(text), await ring.find(next)];
  await store.revoke(stored.id);
  await watch.poll();

  expect(during).toEqual([{ ...rotated, expiresAt: 2000 }, rotated]);
  expect(after).toEqual(["replaced", rotated]);
  expect([await ring.find(text), await ring.find(next)]).toEqual(["revoked", "revoked"]);
  expect(new Set(uses.map(([id]) => id))).toEqual(new Set([stored.id]));
});

test("a rotation without an overlap stops the earlier secret with the next poll", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add({ expiresAt: 5000 });
  const { text: unseen, stored: other } = await add();
  await ring.find(text);
  const rotate = async (id: string) => {
    const next = createKeyText("mg_");
    await store.rotate(id, { digest: digest(next), lastFour: next.slice(-4), overlapMs: 0 });
    return next;
  };

  const next = await rotate(stored.id);
  await rotate(other.id);
  await watch.poll();

  expect(await ring.find(text)).toBe("replaced");
  expect(await ring.find(unseen)).toBe("unknown");
  expect(await ring.find(next)).toMatchObject({ id: stored.id, expiresAt: 5000 });
});

test("while the store is unavailable known keys work, and others get a 503", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  const { text: other } = await add();
  await ring.find(text);

  store.findByDigest = unavailable;
  store.changesSince = unavailable;
  await watch.poll();

  expect(await ring.find(text)).toEqual(stored);
  expect(await ring.find("wrong")).toBe("unknown");
  await expect(ring.find(other)).rejects.toMatchObject({ code: "storage_unavailable", status: 503 });
});

test("a store that exceeds the timeout counts as unavailable", async () => {
  const { store, ring, add, timedOut } = await createFixture();
  const { text } = await add();
  store.gate = new Promise(() => {});

  const looking = ring.find(text);
  timedOut.abort(new Error("too long"));

  await expect(looking).rejects.toMatchObject({ code: "storage_unavailable", retryAfterMs: 1000 });
});

test("a failed lookup is repeated with the next request", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();
  const findByDigest = store.findByDigest.bind(store);
  store.findByDigest = unavailable;
  await expect(ring.find(text)).rejects.toThrow();

  store.findByDigest = findByDigest;

  expect(await ring.find(text)).toEqual(stored);
});

test("the number of concurrent lookups is limited", async () => {
  const { store, ring, add } = await createFixture();
  const { text } = await add();
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const guesses = Array.from({ length: 256 }, (_, index) =>
    ring.find(createKeyText("mg_"), () => `${index}`),
  );

  await expect(ring.find(text)).rejects.toMatchObject({ code: "storage_unavailable" });
  open();

  expect(new Set(await Promise.all(guesses))).toEqual(new Set(["unknown"]));
  expect(store.lookups).toBe(256);
});

test("guesses of a greedy network leave room for the lookup of a modest one", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const guesses = Array.from({ length: 1000 }, () => ring.find(createKeyText("mg_"), () => "greedy"));
  const outcomes = Promise.allSettled(guesses);

  const found = ring.find(text, () => "modest");
  open();

  expect(await found).toEqual(stored);
  const refused = (await outcomes).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(1000 - 128);
});

test("a key evicted from memory is looked up again, and follows changes again", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  await ring.find(text);
  // One reply for all, so that the test need not create ten thousand keys.
  const findByDigest = store.findByDigest.bind(store);
  store.findByDigest = async (digested) => ({ ...stored, id: `key_${digested.toString("hex")}` });
  for (let count = 0; count < 10_000; count += 1) await ring.find(createKeyText("mg_"));
  store.findByDigest = findByDigest;
  const before = store.lookups;

  await ring.find(text);
  const lookups = store.lookups - before;
  await store.revoke(stored.id);
  await watch.poll();

  expect(lookups).toBe(1);
  expect(await ring.find(text)).toBe("revoked");
});

test("a configured key is known from the start, and may be disabled or expire", async () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest();
  const key = { id: "config:dev", name: "dev", limits: {}, isDisabled: false };
  const configured = [
    { key, sha256: sha256("plain-key") },
    { key: { ...key, isDisabled: true }, sha256: sha256("off-key") },
    { key: { ...key, expiresAt: 1000 }, sha256: sha256("old-key") },
  ];
  const { ring, uses } = await createFixture({ configured });

  expect(
    await Promise.all(["plain-key", "off-key", "old-key", "no-key"].map((text) => ring.find(text))),
  ).toEqual([key, "disabled", "expired", "unknown"]);
  expect(uses).toEqual([]);
});

test("every use of an active key is reported", async () => {
  const { store, ring, watch, add, uses, clock } = await createFixture();
  const { text, stored } = await add();

  await ring.find(text);
  clock.now = 1500;
  await ring.find(text);
  await store.revoke(stored.id);
  await watch.poll();
  clock.now = 1600;
  await ring.find(text);

  expect(uses).toEqual([
    [stored.id, 1000],
    [stored.id, 1500],
  ]);
});

test("more keys than are kept without a hash are all found, repeatedly", async () => {
  const texts = Array.from({ length: 1500 }, (_, number) => `key-${number}`);
  const configured = texts.map((text) => ({
    key: { id: text, name: text, limits: {}, isDisabled: false },
    sha256: createHash("sha256").update(text).digest(),
  }));
  const { ring } = await createFixture({ configured });

  for (let round = 0; round < 3; round += 1)
    for (const text of texts) expect(await ring.find(text)).toMatchObject({ id: text });
  expect(await ring.find("key-1500")).toBe("unknown");
  ring.configure([]);
  for (const text of texts) expect(await ring.find(text)).toBe("unknown");
});
