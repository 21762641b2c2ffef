import { randomBytes } from "node:crypto";
import { GatewayError } from "@model-gateway/domain/errors";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeDatabaseOfTier, describePostgres } from "../../../test/servers/describe-databases.js";
import type { KeyQuery, NewKey, StoredKey } from "../../keys/key-store.js";
import type { Database } from "../database/open-database.js";
import { DatabaseKeyStore } from "./key-store.js";

const newKey = (key: Partial<NewKey> = {}): NewKey => ({
  name: "reports",
  limits: {},
  isDisabled: false,
  digest: randomBytes(32),
  lastFour: "wxyz",
  ...key,
});

const listed: KeyQuery = { limit: 100, sort: "createdAt", order: "desc", fileKeys: [], spentSince: 0 };

describeDatabaseOfTier("keys", ({ database, open }) => {
  let nowMs = 1_787_150_086_123;
  const createStore = () => new DatabaseKeyStore(database(), { now: () => nowMs });

  test("a key is found by id and by digest as it was created", async () => {
    const store = createStore();
    const full = newKey({
      name: "café ☕",
      owner: "ann@example.com",
      models: ["text-*", "image"],
      limits: { requestsPerMinute: 60, maxConcurrency: 4 },
      budget: { usd: 12.5, per: "month" },
      priority: "bulk",
      expiresAt: nowMs + 1000,
    });

    const created = await store.create(full);
    const plain = await store.create(newKey());

    expect(created).toEqual({ ...full, id: expect.stringMatching(/^key_[0-9a-f]{24}$/), createdAt: nowMs });
    expect(await store.find(created.id)).toEqual(created);
    expect(await store.findByDigest(full.digest)).toEqual(created);
    expect(await store.find(plain.id)).toEqual(plain);
    expect(Object.keys(plain)).not.toContain("owner");
    expect(await store.findLabels([created.id, plain.id, "key_0"])).toEqual(
      new Map([
        [created.id, { name: "café ☕", owner: "ann@example.com" }],
        [plain.id, { name: "reports", owner: null }],
      ]),
    );
  });

  test("an unknown key is not found", async () => {
    const store = createStore();

    expect(await store.find("key_0")).toBeUndefined();
    expect(await store.find("key_\0")).toBeUndefined();
    expect(await store.findByDigest(randomBytes(32))).toBeUndefined();
    expect(await store.change("key_0", { name: "other" })).toBeUndefined();
    expect(await store.revoke("key_\ud800")).toBeUndefined();
  });

  test("no two keys share a digest", async () => {
    const store = createStore();
    const { digest } = await store.create(newKey());

    await expect(store.create(newKey({ digest }))).rejects.toThrow();

    expect((await store.list(listed)).items).toHaveLength(1);
  });

  test("only the given fields change, and null removes a restriction", async () => {
    const store = createStore();
    const key = await store.create(
      newKey({ owner: "ann", models: ["a"], budget: { usd: 1, per: "day" }, expiresAt: 5 }),
    );

    const renamed = await store.change(key.id, {
      name: "other",
      limits: { imagesPerDay: 3 },
      isDisabled: true,
      priority: "bulk",
    });
    const unrestricted = await store.change(key.id, {
      owner: null,
      models: null,
      budget: null,
      expiresAt: null,
      priority: "interactive",
    });

    expect(renamed).toEqual({
      ...key,
      name: "other",
      limits: { imagesPerDay: 3 },
      isDisabled: true,
      priority: "bulk",
    });
    const { id, digest, lastFour, createdAt, limits, isDisabled, name } = renamed!;
    expect(unrestricted).toEqual({ id, digest, lastFour, createdAt, limits, isDisabled, name });
    expect(await store.find(key.id)).toEqual(unrestricted);
  });

  test("a name that cannot be stored is refused, not changed", async () => {
    const store = createStore();
    const refusal = new GatewayError(
      "invalid_value",
      "Invalid 'name': it contains a character that cannot be stored.",
      {
        param: "name",
      },
    );

    await expect(store.create(newKey({ name: "a\0b" }))).rejects.toEqual(refusal);
    const { id } = await store.create(newKey());
    await expect(store.change(id, { name: "a\ud800" })).rejects.toEqual(refusal);
  });

  test("a revoked key stays revoked and unchanged", async () => {
    const store = createStore();
    const key = await store.create(newKey());

    const revoked = await store.revoke(key.id);
    nowMs += 1000;
    const again = await store.revoke(key.id);
    const changed = await store.change(key.id, { isDisabled: false, name: "other" });

    expect(revoked).toEqual({ ...key, revokedAt: nowMs - 1000 });
    expect(again).toEqual(revoked);
    expect(changed).toEqual(revoked);
  });

  test("a rotated key is found by both secrets, and by the new one alone after a rotation without an overlap", async () => {
    const store = createStore();
    const key = await store.create(newKey({ owner: "ann" }));
    const next = { digest: randomBytes(32), lastFour: "next" };
    const last = { digest: randomBytes(32), lastFour: "last" };
    const { revision } = await store.changesSince(0);

    const rotated = await store.rotate(key.id, { ...next, overlapMs: 1000 });
    const changes = await store.changesSince(revision);
    const found = [await store.findByDigest(key.digest), await store.findByDigest(next.digest)];
    const stopped = await store.rotate(key.id, { ...last, overlapMs: 0 });

    const old = { digest: key.digest, lastFour: "wxyz", expiresAt: nowMs + 1000 };
    expect(rotated).toEqual({ ...key, ...next, oldSecrets: [old] });
    expect(changes.keys).toEqual([rotated]);
    expect(found).toEqual([rotated, rotated]);
    expect(stopped).toEqual({ ...key, ...last });
    const digests = [key.digest, next.digest, last.digest];
    expect(await Promise.all(digests.map((one) => store.findByDigest(one)))).toEqual([
      undefined,
      undefined,
      stopped,
    ]);
  });

  test("earlier secrets that have expired make room for others", async () => {
    const store = createStore();
    const { id } = await store.create(newKey());
    const rotate = (overlapMs: number) =>
      store.rotate(id, { digest: randomBytes(32), lastFour: "next", overlapMs });
    for (let count = 0; count < 4; count += 1) await rotate(1000);

    await expect(rotate(1000)).rejects.toMatchObject({ code: "too_many_secrets", status: 409 });
    nowMs += 1000;
    const rotated = await rotate(1000);

    expect(rotated?.oldSecrets).toHaveLength(1);
  });

  test("concurrent rotations by two replicas lose no secret", async () => {
    const replicas = [createStore(), new DatabaseKeyStore(await open(), { now: () => nowMs })];
    const { id, digest } = await replicas[0]!.create(newKey());
    const digests = [randomBytes(32), randomBytes(32)];

    await Promise.all(
      replicas.map((store, at) => store.rotate(id, { digest: digests[at]!, lastFour: "next", overlapMs: 9 })),
    );

    for (const one of [digest, ...digests])
      expect(await replicas[0]!.findByDigest(one)).toMatchObject({ id });
  });

  test("a revoked or unknown key is not rotated", async () => {
    const store = createStore();
    const { id } = await store.create(newKey());
    const revoked = await store.revoke(id);
    const next = { digest: randomBytes(32), lastFour: "next", overlapMs: 1000 };

    expect(await store.rotate(id, next)).toEqual(revoked);
    expect(await store.rotate("key_0", next)).toBeUndefined();
    expect(await store.rotate("key_\0", next)).toBeUndefined();
  });

  test("a use that is newer by seconds is not written: another replica has written one", async () => {
    const store = createStore();
    const { id } = await store.create(newKey());
    const touch = async (at: number) => {
      await store.touch(new Map([[id, at]]));
      return (await store.find(id))?.lastUsedAt;
    };

    expect([await touch(1000), await touch(30_999), await touch(31_000)]).toEqual([1000, 1000, 31_000]);
  });

  test("touch keeps the latest use and changes nothing else", async () => {
    const store = createStore();
    const [one, two] = [await store.create(newKey()), await store.create(newKey())];
    const { revision } = await store.changesSince(0);

    await store.touch(
      new Map([
        [one.id, 2000],
        ["key_gone", 1],
        ["key_\0", 1],
      ]),
    );
    await store.touch(
      new Map([
        [one.id, 1000],
        [two.id, 500],
      ]),
    );
    await store.touch(new Map());

    expect(await store.find(one.id)).toEqual({ ...one, lastUsedAt: 2000 });
    expect(await store.find(two.id)).toEqual({ ...two, lastUsedAt: 500 });
    expect(await store.changesSince(revision)).toEqual({ revision, keys: [] });
  });

  test("changesSince returns each created, changed or revoked key once", async () => {
    const store = createStore();
    const [one, two] = [await store.create(newKey()), await store.create(newKey())];
    const before = await store.changesSince(0);

    const three = await store.create(newKey());
    await store.change(one.id, { name: "first" });
    const changed = await store.change(one.id, { name: "other" });
    const after = await store.changesSince(before.revision);

    expect(before.keys).toEqual([one, two]);
    expect(after.keys).toEqual([three, changed]);
    expect(await store.changesSince(after.revision)).toEqual({ revision: after.revision, keys: [] });
  });

  test("the latest revision includes all changes so far", async () => {
    const store = createStore();
    await store.create(newKey());
    const revision = await store.latestRevision();
    const two = await store.create(newKey());

    expect(await store.changesSince(revision)).toEqual({
      revision: await store.latestRevision(),
      keys: [two],
    });
  });

  test("many changes are returned in portions", async () => {
    const store = new DatabaseKeyStore(database(), { now: () => nowMs, changesMax: 2 });
    const revision = await store.latestRevision();
    const [one, two, three] = [
      await store.create(newKey()),
      await store.create(newKey()),
      await store.create(newKey()),
    ];

    const first = await store.changesSince(revision);
    const rest = await store.changesSince(first.revision);

    expect(first.keys).toEqual([one, two]);
    expect(rest.keys).toEqual([three]);
    expect((await store.changesSince(rest.revision)).keys).toEqual([]);
  });

  test("no change is missed while several replicas change keys concurrently", async () => {
    const replicas = [createStore(), new DatabaseKeyStore(await open(), { now: () => nowMs })];
    const seen = new Map<string, StoredKey>();
    let revision = 0;
    let isDone = false;
    const watch = async () => {
      do {
        const changes = await createStore().changesSince(revision);
        revision = changes.revision;
        for (const key of changes.keys) seen.set(key.id, key);
      } while (!isDone);
    };

    const watching = watch();
    await Promise.all(
      replicas.map(async (store) => {
        for (let count = 0; count < 20; count += 1) {
          const { id } = await store.create(newKey());
          if (count % 2 === 0) await store.revoke(id);
        }
      }),
    );
    isDone = true;
    await watching;
    const last = await createStore().changesSince(revision);
    for (const key of last.keys) seen.set(key.id, key);

    const { items } = await createStore().list(listed);
    expect(items).toHaveLength(40);
    expect(new Map(items.map(({ key }) => [key.id, key]))).toEqual(seen);
  });
});

describePostgres("keys on PostgreSQL", ({ database, open }) => {
  test("a change that commits late is not skipped in favour of a later one", async () => {
    const late = database();
    const keys = new DatabaseKeyStore(await open(), { now: () => 1_787_150_086_123 });
    const one = await keys.create(newKey());
    const { revision } = await keys.changesSince(0);

    let changing: Promise<StoredKey> | undefined;
    await late.kysely.transaction().execute(async (transaction) => {
      await sql`update revisions set value = value + 1 where name = 'access_keys'`.execute(transaction);
      await sql`update access_keys set name = 'late', revision = ${revision + 1}`.execute(transaction);
      changing = keys.create(newKey());
      // The other change waits for its revision until this one commits, so nothing is visible yet.
      await expect.poll(() => waitingForLock(late), { timeout: 90_000 }).toBe(1);
      expect(await keys.changesSince(revision)).toEqual({ revision, keys: [] });
    });
    const two = await changing;

    expect(await keys.changesSince(revision)).toEqual({
      revision: revision + 2,
      keys: [{ ...one, name: "late" }, two],
    });
  });
});

async function waitingForLock({ kysely }: Database): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
  return rows[0]?.count;
}
