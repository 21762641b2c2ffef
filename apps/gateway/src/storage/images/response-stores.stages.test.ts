import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayError } from "@model-gateway/domain/errors";
import { scopeId } from "@model-gateway/domain/scope-id";
import { parseObjectName } from "@model-gateway/object-store/expiring-objects";
import { type Bucket, openBucket } from "@model-gateway/object-store/open-bucket";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import fc from "fast-check";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { Idempotency } from "../../images/idempotency/idempotency.js";
import type { LockLease, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import { openDatabaseResponseStore } from "./database-response-store.js";
import { openDiskResponseStore } from "./disk-response-store.js";
import { writeEntry } from "./stored-entry.js";

/** One suite for every implementation of `ResponseStore`. */
const details = { image_tokens: 0, text_tokens: 0 };
const dayMs = 24 * 60 * 60_000;
const idOf = (number: number) => number.toString(16).padStart(64, "0");
const entryOf = (image: string): StoredEntry => ({
  fingerprint: "cat",
  response: { images: { created: 1, data: [{ b64_json: Buffer.from(image) }] }, credentials: "none" },
});
const sizeOf = (entry: StoredEntry) => Buffer.concat(writeEntry(entry)).length;

interface OpenOptions {
  readonly bytesMax: number;
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Access to the storage behind a store. */
interface StoreBackend {
  open(options: OpenOptions): Promise<ResponseStore>;
  /** All stored texts, by id. */
  contents(): Promise<Map<string, string>>;
  damage(id: string, content: string): Promise<void>;
}

describe("responses on disk", () => {
  let dataDir: string;
  const path = (id: string) => join(dataDir, "responses", `${id}.json`);

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "responses-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  testResponseStore({
    open: (options) => openDiskResponseStore({ dataDir, ...options }),
    contents: async () => {
      const names = readdirSync(join(dataDir, "responses")).filter((name) => name.endsWith(".json"));
      const ids = names.map((name) => name.slice(0, -".json".length));
      return new Map(ids.sort().map((id) => [id, readFileSync(path(id), "utf8")]));
    },
    damage: async (id, content) => {
      const { atime, mtime } = statSync(path(id));
      writeFileSync(path(id), content);
      utimesSync(path(id), atime, mtime);
    },
  });
});

describeDatabaseOfTier("responses", ({ database }) => {
  testResponseStore({
    open: (options) => openDatabaseResponseStore(database(), options),
    contents: async () => {
      const rows = await database()
        .kysely.selectFrom("stored_responses")
        .selectAll()
        .where("bytes", ">", 0)
        .orderBy("id")
        .execute();
      return new Map(rows.map(({ id, content }) => [id, content]));
    },
    damage: async (id, content) => {
      await database().kysely.updateTable("stored_responses").set({ content }).where("id", "=", id).execute();
    },
  });
});

describeDatabaseOfTier("responses in a bucket, their index", ({ database }) => {
  let server: S3Server;
  let bucket: Bucket;
  let now: () => number;
  const object = (key: string) => server.objects.get(key)?.content.toString() ?? "";
  const keyOf = async (id: string) => {
    const row = await database()
      .kysely.selectFrom("stored_responses")
      .select("content")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const { object: name } = JSON.parse(row.content) as { object: string };
    return [...server.objects.keys()].find((key) => key.endsWith(`/${name}`)) ?? "";
  };

  beforeEach(async () => {
    server = await S3Server.start();
    return async () => {
      await bucket.close();
      await server.stop();
    };
  });

  testResponseStore({
    open: async (options) => {
      now = options.now;
      bucket = openBucket(server.settings, {
        signer: server.signer,
        now: options.now,
        log: pino({ level: "silent" }),
      });
      return openDatabaseResponseStore(database(), {
        ...options,
        objects: bucket.responses,
        inlineBytesMax: 0,
      });
    },
    contents: async () => {
      const rows = await database()
        .kysely.selectFrom("stored_responses")
        .select("id")
        .where("bytes", ">", 0)
        .orderBy("id")
        .execute();
      const keys = await Promise.all(rows.map(({ id }) => keyOf(id)));
      // No object is left behind by a row that was removed or replaced. One that has expired may last another second.
      const kept = [...server.objects.keys()].filter((key) => {
        const name = parseObjectName(key.split("/").at(-1) ?? "");
        return name !== undefined && name.expiresAt > now() + 1000;
      });
      expect(kept.sort()).toEqual([...keys].sort());
      return new Map(rows.map(({ id }, index) => [id, object(keys[index] ?? "")]));
    },
    damage: async (id, content) => {
      server.objects.set(await keyOf(id), { content: Buffer.from(content), type: "application/json" });
    },
  });
});

function testResponseStore({ open, contents, damage }: StoreBackend): void {
  let nowMs: number;
  let failures: unknown[];
  const opened: ResponseStore[] = [];
  const storedIds = async () => [...(await contents()).keys()];

  beforeEach(() => {
    nowMs = 1_787_150_086_123;
    failures = [];
    return async () => void (await Promise.all(opened.splice(0).map((store) => store.close())));
  });

  async function openStore(bytesMax = 1_000_000): Promise<ResponseStore> {
    const onFailure = (failure: unknown) => failures.push(failure);
    const store = await open({ bytesMax, now: () => nowMs, onFailure });
    opened.push(store);
    return store;
  }

  test("a written response is read again", async () => {
    const store = await openStore();

    await store.write(idOf(1), entryOf("AAAA"));

    expect(await store.read(idOf(1))).toEqual(entryOf("AAAA"));
    expect(await store.read(idOf(2))).toBeUndefined();
  });

  test("the events of a stream and unusual characters are stored unchanged", async () => {
    const store = await openStore();
    const event = {
      type: "image_generation.completed",
      background: "opaque",
      created_at: 1,
      output_format: "png",
      quality: "low",
      size: "1024x1024",
      usage: { input_tokens: 0, input_tokens_details: details, output_tokens: 0, total_tokens: 0 },
    } as const;
    const events: StoredEntry = {
      fingerprint: "cat",
      response: {
        events: ["AAAA", "", "BBBB"].map((image) => ({ ...event, b64_json: Buffer.from(image) })),
        credentials: "none",
      },
    };
    const revised_prompt = '\0 \ud800 é 🐈 \\u0000 "b64_json":"';
    const data = [{ revised_prompt, b64_json: Buffer.from("AAAA") }, { url: "https://a.example" }];
    const strange: StoredEntry = {
      fingerprint: "cat",
      response: { images: { created: 1, data }, credentials: "none" },
    };

    await store.write(idOf(1), events);
    await store.write(idOf(2), strange);

    expect(await store.read(idOf(1))).toEqual(events);
    expect(await store.read(idOf(2))).toEqual(strange);
  });

  test("a response of many megabytes is stored", async () => {
    const store = await openStore(30_000_000);
    const image = Buffer.alloc(20_000_000, "A");

    await store.write(idOf(1), {
      fingerprint: "cat",
      response: { images: { created: 1, data: [{ b64_json: image }] }, credentials: "none" },
    });

    const found = await store.read(idOf(1));
    // A matcher would compare them byte by byte.
    const [stored] = found !== undefined && "images" in found.response ? found.response.images.data : [];
    expect(stored?.b64_json?.equals(image)).toBe(true);
  });

  test("after a restart the response is replayed, and neither the key nor the caller is stored", async () => {
    const request = {
      caller: "alice",
      operation: "createImage",
      key: "order-1",
      fingerprint: "cat",
      signal: new AbortController().signal,
    } as const;
    const onFailure = (failure: unknown) => expect.fail(String(failure));
    const { response } = entryOf("AAAA");
    await new Idempotency(await openStore(), { onFailure }).run(request, async () => response);

    const restarted = new Idempotency(await openStore(), { onFailure });
    const second = await restarted.run(request, () => expect.fail("It was created twice."));

    expect(second).toEqual({ response, replayed: true });
    const [[id, content] = ["", ""]] = await contents();
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(content).not.toMatch(/alice|order-1/);
  });

  test("a response is stored for 24 hours, even after a restart", async () => {
    const store = await openStore();
    await store.write(idOf(1), entryOf("AAAA"));

    nowMs += dayMs - 1;
    expect(await (await openStore()).read(idOf(1))).toEqual(entryOf("AAAA"));
    nowMs += 1;

    expect(await store.read(idOf(1))).toBeUndefined();
  });

  test("a sweep removes expired responses and nothing else", async () => {
    const store = await openStore();
    await store.write(idOf(1), entryOf("AAAA"));
    nowMs += dayMs / 2;
    await store.write(idOf(2), entryOf("BBBB"));
    nowMs += dayMs / 2;

    await store.sweep();

    expect(await storedIds()).toEqual([idOf(2)]);
  });

  test("a response that is written again is stored for another 24 hours", async () => {
    const store = await openStore();
    await store.write(idOf(1), entryOf("AAAA"));
    nowMs += dayMs;
    await store.write(idOf(1), entryOf("BBBB"));
    nowMs += dayMs - 1;

    await store.sweep();

    expect(await store.read(idOf(1))).toEqual(entryOf("BBBB"));
  });

  const damaged = [
    "",
    Buffer.concat(writeEntry(entryOf("AAAA")))
      .toString()
      .slice(0, -1),
    Buffer.concat(writeEntry(entryOf("AAAA")))
      .toString()
      .slice(0, -8),
    '{"fingerprint":"cat","response":{"images":{"data":[{"b64_json":1}]},"credentials":"none"}}',
    "null",
    "[]",
    '{"fingerprint":1,"response":{"events":[],"credentials":"none"}}',
    '{"fingerprint":"cat"}',
    '{"fingerprint":"cat","response":{"images":{},"credentials":"none"}}',
    '{"fingerprint":"cat","response":{"events":[]}}',
  ];
  test.each(damaged)("a damaged response counts as lost and is reported: %j", async (content) => {
    const store = await openStore();
    await store.write(idOf(1), entryOf("AAAA"));
    await damage(idOf(1), content);

    const found = await store.read(idOf(1));

    expect(found).toBeUndefined();
    expect(await store.lock(idOf(1), "cat")).toEqual({ kind: "lost" });
    expect(await storedIds()).toEqual([]);
    expect(failures).toEqual([new Error(`The stored response ${idOf(1)} is damaged and counts as lost.`)]);
  });

  test("the oldest are removed first when the limit is reached", async () => {
    const size = sizeOf(entryOf("AAAA"));
    const store = await openStore(3 * size);

    for (const number of [1, 2, 3]) await store.write(idOf(number), entryOf("AAAA"));
    expect(await storedIds()).toHaveLength(3);
    await store.write(idOf(4), entryOf("AAAA"));

    expect(await storedIds()).toEqual([2, 3, 4].map(idOf));
    expect(failures).toEqual([]);
  });

  test("order and size are known after a restart", async () => {
    const size = sizeOf(entryOf("AAAA"));
    const store = await openStore(3 * size);
    for (const number of [3, 1, 2]) {
      nowMs += 1;
      await store.write(idOf(number), entryOf("AAAA"));
    }

    const restarted = await openStore(3 * size);
    nowMs += 1;
    await restarted.write(idOf(4), entryOf("AAAA"));

    expect(await storedIds()).toEqual([1, 2, 4].map(idOf));
  });

  test("responses of a modest key stay while a greedy one writes ten times the store, over restarts", async () => {
    const idOfKey = (caller: string, number: number) =>
      scopeId({ caller, operation: "createImage", key: `order-${number}` });
    const size = sizeOf(entryOf("AAAA"));
    const modest: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const store = await openStore(10 * size);
      modest.push(idOfKey("modest", round));
      nowMs += 1;
      await store.write(modest[round]!, entryOf("AAAA"));
      for (let number = 0; number < 25; number += 1) {
        nowMs += 1;
        await store.write(idOfKey("greedy", round * 25 + number), entryOf("BBBB"));
      }

      const found = await Promise.all(modest.map((id) => store.read(id)));
      expect(found).toEqual(modest.map(() => entryOf("AAAA")));
      expect(await storedIds()).toHaveLength(10);
    }
    expect(await storedIds()).toContain(idOfKey("greedy", 99));
    expect(failures).toEqual([]);
  });

  test("expired responses make room before any other", async () => {
    const size = sizeOf(entryOf("AAAA"));
    const idOfKey = (caller: string) => scopeId({ caller, operation: "createImage", key: String(nowMs) });
    const store = await openStore(3 * size);
    await store.write(idOfKey("modest"), entryOf("AAAA"));
    nowMs += dayMs - 2;
    const kept: string[] = [];
    for (let number = 0; number < 3; number += 1) {
      kept.push(idOfKey("greedy"));
      // The first response expires with the last of these.
      await store.write(kept[number]!, entryOf("BBBB"));
      nowMs += 1;
    }

    expect(await storedIds()).toEqual(kept.sort());
  });

  test("a large response takes its room from the callers that hold the most", async () => {
    const size = sizeOf(entryOf("AAAA"));
    const idOfKey = (caller: string, number: number) =>
      scopeId({ caller, operation: "createImage", key: `order-${number}` });
    const store = await openStore(30 * size);
    for (const [caller, count] of Object.entries({ modest: 4, one: 13, other: 13 }))
      for (let number = 0; number < count; number += 1) {
        nowMs += 1;
        await store.write(idOfKey(caller, number), entryOf("AAAA"));
      }

    nowMs += 1;
    await store.write(idOfKey("modest", 4), entryOf("A".repeat(4 + 5 * size)));

    const kept = await storedIds();
    const keptOf = (caller: string, count: number) =>
      Array.from({ length: count }, (_, number) => idOfKey(caller, number)).filter((id) => kept.includes(id));
    expect(keptOf("modest", 5)).toHaveLength(5);
    expect(keptOf("one", 13).length + keptOf("other", 13).length).toBe(20);
    expect(Math.min(keptOf("one", 13).length, keptOf("other", 13).length)).toBeGreaterThanOrEqual(8);
  });

  test("a response larger than the limit is refused and evicts no other", async () => {
    const size = sizeOf(entryOf("AAAA"));
    const store = await openStore(size);
    await store.write(idOf(1), entryOf("AAAA"));

    await expect(store.write(idOf(2), entryOf("AAAAA"))).rejects.toEqual(
      new Error(`A response of ${size + 1} bytes exceeds the limit of ${size} bytes and is not stored.`),
    );

    expect(await storedIds()).toEqual([idOf(1)]);
  });

  const lockKind = async (store: ResponseStore, number: number) =>
    (await store.lock(idOf(number), "cat")).kind;

  async function acquire(store: ResponseStore, number: number): Promise<LockLease> {
    const attempt = await store.lock(idOf(number), "cat");
    if (attempt.kind !== "acquired") expect.fail(`The lock is ${attempt.kind}.`);
    return attempt.lease;
  }

  test("a lock is free once it is released, with or without a failure", async () => {
    const store = await openStore();

    await (await acquire(store, 1)).release();
    await (await acquire(store, 1)).release(new GatewayError("upstream_error", "no image"));

    expect(await lockKind(store, 1)).toBe("acquired");
  });

  test("the lock of a process that died is lost for a day, and not free", async () => {
    const died = await openStore();
    await acquire(died, 1);
    await died.close();
    nowMs += 60_000;

    const restarted = await openStore();
    const kinds = [await lockKind(restarted, 1), await lockKind(restarted, 2)];
    nowMs += dayMs - 60_001;
    await restarted.sweep();
    kinds.push(await lockKind(restarted, 1));
    nowMs += 60_001;

    expect(kinds).toEqual(["lost", "acquired", "lost"]);
    expect(await lockKind(restarted, 1)).toBe("acquired");
  });

  test("a response that its process stored before it died is found", async () => {
    const died = await openStore();
    await acquire(died, 1);
    await died.write(idOf(1), entryOf("AAAA"));
    await died.close();
    nowMs += 60_000;

    const restarted = await openStore();

    expect(await restarted.read(idOf(1))).toEqual(entryOf("AAAA"));
  });

  test("a lock is lost at once if its response could not be stored, even after its release", async () => {
    const store = await openStore();
    const [held, released] = [await acquire(store, 1), await acquire(store, 2)];
    await released.release();

    await held.markLost();
    await released.markLost();

    expect([await lockKind(store, 1), await lockKind(store, 2)]).toEqual(["lost", "lost"]);
  });

  test("an evicted response is lost for a day, and comes back if it is written again", async () => {
    const size = sizeOf(entryOf("AAAA"));
    const store = await openStore(size);
    await store.write(idOf(1), entryOf("AAAA"));
    await store.write(idOf(2), entryOf("BBBB"));

    const restarted = await openStore(size);
    expect(await restarted.read(idOf(1))).toBeUndefined();
    expect(await lockKind(restarted, 1)).toBe("lost");
    nowMs += 1;
    await restarted.write(idOf(1), entryOf("CCCC"));

    expect(await restarted.read(idOf(1))).toEqual(entryOf("CCCC"));
    nowMs += dayMs;
    await restarted.sweep();
    expect(await lockKind(restarted, 2)).toBe("acquired");
  });

  test("concurrent writes stay within the limit, and the last one is stored", async () => {
    const bytesMax = 1000;
    const store = await openStore(bytesMax);
    const lengths = fc.sample(fc.nat({ max: 400 }), { numRuns: 30, seed: 3 });

    await Promise.all(lengths.map((length, index) => store.write(idOf(index), entryOf("A".repeat(length)))));
    await store.write(idOf(99), entryOf("last"));

    const stored = await contents();
    const bytes = [...stored.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(await store.read(idOf(99))).toEqual(entryOf("last"));
    expect(failures).toEqual([]);
  });

  test("close waits for writes in flight", async () => {
    const store = await openStore();

    const writing = store.write(idOf(1), entryOf("AAAA"));
    await store.close();

    expect(await storedIds()).toEqual([idOf(1)]);
    await writing;
  });
}
