import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { GatewayError } from "../errors.js";
import { type ConfiguredKey, KeyRing } from "./key-ring.js";
import type { NewKey, StoredKey } from "./key-store.js";
import { createKeyDigest, makeKeyText } from "./key-text.js";
import { KeyWatch } from "./key-watch.js";
import { MemoryKeyStore } from "./test/memory-key-store.js";

const digest = createKeyDigest("a secret of the tests");
const away = () => Promise.reject(new GatewayError("storage_unavailable", "away"));

async function createFixture({ configured = [] }: { configured?: ConfiguredKey[] } = {}) {
  const store = new MemoryKeyStore();
  const uses: [string, number][] = [];
  const clock = { now: 1000 };
  const impatience = new AbortController();
  const patience = () => AbortSignal.any([impatience.signal]);
  const ring = new KeyRing({
    configured,
    store,
    digest,
    patience,
    onUse: (id, at) => uses.push([id, at]),
    now: () => clock.now,
  });
  const watch = await KeyWatch.open({
    store,
    apply: (changed) => ring.apply(changed),
    patience,
    onFailure: () => undefined,
    onRecovery: () => undefined,
  });
  const add = async (more: Partial<NewKey> = {}): Promise<{ text: string; stored: StoredKey }> => {
    const text = makeKeyText("mg_");
    const key = {
      name: "a key",
      limits: {},
      isDisabled: false,
      digest: digest(text),
      lastFour: text.slice(-4),
    };
    return { text, stored: await store.create({ ...key, ...more }) };
  };
  return { store, ring, watch, add, uses, clock, impatience };
}

test("a key is looked up once, and known at once from then on", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();

  const first = ring.find(text);
  const looked = await first;
  const again = ring.find(text);

  expect(first).toBeInstanceOf(Promise);
  expect(looked).toEqual(stored);
  expect(again).toEqual(stored);
  expect(store.lookups).toBe(1);
});

test("several who come with the same key at once wait for one answer", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();

  const found = await Promise.all([ring.find(text), ring.find(text), ring.find(text)]);

  expect(found).toEqual([stored, stored, stored]);
  expect(store.lookups).toBe(1);
});

test("what can be no key is refused without asking the store", async () => {
  const { store, ring, add } = await createFixture();
  const { text } = await add();

  const verdicts = ["", "mg_", "wrong", `${text}x`, text.slice(0, -1), text.replace(/.$/, "!")].map((one) =>
    ring.find(one),
  );

  expect(verdicts).toEqual(Array(6).fill("unknown"));
  expect(store.lookups).toBe(0);
});

test("a stranger is asked for once, and let in as soon as the key is made", async () => {
  const { store, ring, watch } = await createFixture();
  const text = makeKeyText("mg_");
  const before = [await ring.find(text), ring.find(text)];

  const stored = await store.create({
    name: "late",
    limits: {},
    isDisabled: false,
    digest: digest(text),
    lastFour: "late",
  });
  await watch.look();

  expect(before).toEqual(["unknown", "unknown"]);
  expect(await ring.find(text)).toEqual(stored);
  expect(store.lookups).toBe(2);
});

test("a change takes effect on a key that is known, when it is heard of", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  await ring.find(text);
  await store.change(stored.id, { isDisabled: true });
  const unheard = ring.find(text);

  await watch.look();
  const disabled = ring.find(text);
  await store.change(stored.id, { isDisabled: false, name: "another name" });
  await watch.look();
  const enabled = ring.find(text);
  await store.revoke(stored.id);
  await watch.look();

  expect(unheard).toEqual(stored);
  expect(disabled).toBe("disabled");
  expect(enabled).toEqual({ ...stored, name: "another name" });
  expect(ring.find(text)).toBe("revoked");
  expect(store.lookups).toBe(1);
});

test("a key that is revoked while it is looked up does not slip through", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const looking = ring.find(text);

  store.gate = undefined;
  await store.revoke(stored.id);
  await watch.look();
  open();

  expect(await looking).toBe("revoked");
  expect(ring.find(text)).toBe("revoked");
});

test("a key expires by itself", async () => {
  const { ring, add, clock } = await createFixture();
  const { text, stored } = await add({ expiresAt: 2000 });
  clock.now = 1999;
  const before = await ring.find(text);

  clock.now = 2000;

  expect(before).toEqual(stored);
  expect(ring.find(text)).toBe("expired");
});

test("while the store is away known keys work, and only the store can tell of others", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  const { text: other } = await add();
  await ring.find(text);

  store.findByDigest = away;
  store.changesSince = away;
  await watch.look();

  expect(ring.find(text)).toEqual(stored);
  expect(ring.find("wrong")).toBe("unknown");
  await expect(ring.find(other)).rejects.toMatchObject({ code: "storage_unavailable", status: 503 });
});

test("a store that does not answer in time is away", async () => {
  const { store, ring, add, impatience } = await createFixture();
  const { text } = await add();
  store.gate = new Promise(() => {});

  const looking = ring.find(text);
  impatience.abort(new Error("too long"));

  await expect(looking).rejects.toMatchObject({ code: "storage_unavailable", retryAfterMs: 1000 });
});

test("what failed is asked again", async () => {
  const { store, ring, add } = await createFixture();
  const { text, stored } = await add();
  const findByDigest = store.findByDigest.bind(store);
  store.findByDigest = away;
  await expect(ring.find(text)).rejects.toThrow();

  store.findByDigest = findByDigest;

  expect(await ring.find(text)).toEqual(stored);
});

test("only so many keys are looked for at once", async () => {
  const { store, ring, add } = await createFixture();
  const { text } = await add();
  let open = () => {};
  store.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const guesses = Array.from({ length: 256 }, () => ring.find(makeKeyText("mg_")));

  await expect(ring.find(text)).rejects.toMatchObject({ code: "storage_unavailable" });
  open();

  expect(new Set(await Promise.all(guesses))).toEqual(new Set(["unknown"]));
  expect(store.lookups).toBe(256);
});

test("of more keys than are kept the oldest is looked up anew, and follows changes again", async () => {
  const { store, ring, watch, add } = await createFixture();
  const { text, stored } = await add();
  await ring.find(text);
  // One answer for all, so that the test need not make ten thousand keys.
  const findByDigest = store.findByDigest.bind(store);
  store.findByDigest = async (digested) => ({ ...stored, id: `key_${digested.toString("hex")}` });
  for (let count = 0; count < 10_000; count += 1) await ring.find(makeKeyText("mg_"));
  store.findByDigest = findByDigest;

  const again = ring.find(text);
  await again;
  await store.revoke(stored.id);
  await watch.look();

  expect(again).toBeInstanceOf(Promise);
  expect(ring.find(text)).toBe("revoked");
});

test("a key of the configuration is known from the start, and may be switched off or expire", async () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest();
  const key = { id: "config:dev", name: "dev", limits: {}, isDisabled: false };
  const configured = [
    { key, sha256: sha256("plain-key") },
    { key: { ...key, isDisabled: true }, sha256: sha256("off-key") },
    { key: { ...key, expiresAt: 1000 }, sha256: sha256("old-key") },
  ];
  const { ring, uses } = await createFixture({ configured });

  expect(["plain-key", "off-key", "old-key", "no-key"].map((text) => ring.find(text))).toEqual([
    key,
    "disabled",
    "expired",
    "unknown",
  ]);
  expect(uses).toEqual([]);
});

test("every use of a key that works is told", async () => {
  const { store, ring, watch, add, uses, clock } = await createFixture();
  const { text, stored } = await add();

  await ring.find(text);
  clock.now = 1500;
  await ring.find(text);
  await store.revoke(stored.id);
  await watch.look();
  clock.now = 1600;
  await ring.find(text);

  expect(uses).toEqual([
    [stored.id, 1000],
    [stored.id, 1500],
  ]);
});

test("more keys than are known without a hash are all found, again and again", async () => {
  const texts = Array.from({ length: 1500 }, (_, number) => `key-${number}`);
  const configured = texts.map((text) => ({
    key: { id: text, name: text, limits: {}, isDisabled: false },
    sha256: createHash("sha256").update(text).digest(),
  }));
  const { ring } = await createFixture({ configured });

  for (let round = 0; round < 3; round += 1)
    for (const text of texts) expect(ring.find(text)).toMatchObject({ id: text });
  expect(ring.find("key-1500")).toBe("unknown");
  ring.configure([]);
  for (const text of texts) expect(ring.find(text)).toBe("unknown");
});
