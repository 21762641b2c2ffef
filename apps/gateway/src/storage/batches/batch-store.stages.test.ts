import { beforeEach, describe, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { Batch, BatchPart } from "../../batches/batch.js";
import type { BatchStore, ExceededBound, NewBatch } from "../../batches/batch-store.js";
import { leaseMs } from "../../work/leased-work.js";
import { DatabaseFileIndex } from "../files/file-index.js";
import { DatabaseBatchStore } from "./batch-store.js";

const me = "holder-1";
const noTokens = { input: 0, output: 0 };
const noBytes = { storedBytes: 0, estimatedBytes: 0, linkedBytes: 0 };
const quotas = { keyBytesMax: 1000, keyFilesMax: 100, storeBytesMax: 3000 };
const bounds = { quotas, activeMax: 10 };

describeDatabaseOfTier("batches", ({ database, open }) => {
  let now = 0;
  let store: BatchStore;

  beforeEach(() => {
    now = 1_790_000_000_000;
    store = new DatabaseBatchStore(database(), { site: "here", now: () => now });
  });

  test("a new batch waits for its file to be checked", async () => {
    const created = await create("a", { metadata: { corpus: "handbook" } });

    expect(created).toMatchObject({ status: "validating", outcome: null, metadata: { corpus: "handbook" } });
    expect(await store.find(created.id)).toEqual(created);
    expect(await store.steps.claim(me)).toMatchObject({ id: created.id, attempts: 1 });
    expect(await store.find("batch_\0")).toBeUndefined();
  });

  test("a valid file's parts run, and with the last of them the output is due", async () => {
    const { id } = await begin("a", 2);
    const [first, second] = [await claimPart(), await claimPart()];

    const segment = { fileId: "part-1", outputBytes: 10, errorBytes: 5 };
    const progress = { ...noBytes, completed: 2, failed: 1, tokens: { input: 7, output: 1 } };
    await store.savePart(first, me, { ...progress, segment, pending: [], resumeAt: now });
    expect(await store.find(id)).toMatchObject({
      status: "in_progress",
      counts: { total: 6, completed: 2, failed: 1 },
      tokens: { input: 7, output: 1 },
    });
    expect(await store.steps.claim(me)).toBeUndefined();

    await store.savePart(second, me, { ...progress, pending: [], resumeAt: now });
    expect(await store.steps.claim(me)).toMatchObject({ status: "finalizing", outcome: "completed" });
    expect(await store.listParts(id, { from: 0, limit: 10 })).toMatchObject([
      { number: 0, segments: [segment], pending: [] },
      { number: 1, segments: [], pending: [] },
    ]);
  });

  test("the last two parts may end at once, at two replicas", async () => {
    const other = new DatabaseBatchStore(await open(), { site: "here", now: () => now });
    await begin("a", 2);
    const [first, second] = [await claimPart(), await claimPart()];
    const saved = { completed: 1, failed: 0, ...noBytes, tokens: noTokens, pending: [], resumeAt: now };

    await Promise.all([store.savePart(first, me, saved), other.savePart(second, me, saved)]);

    expect(await store.steps.claim(me)).toMatchObject({ outcome: "completed", counts: { completed: 2 } });
  });

  test("a part whose lines must wait is claimed again with those that are left", async () => {
    await begin("a", 1);
    const part = await claimPart();
    const pending = [{ line: 3, failures: 1 }];

    const progress = { completed: 2, failed: 0, ...noBytes, tokens: noTokens };
    await store.savePart(part, me, { ...progress, pending, resumeAt: now + 1000 });
    await store.parts.recover();
    expect(await store.parts.claim(me)).toBeUndefined();

    now += 1000;
    await store.parts.recover();
    expect(await store.parts.claim(me)).toMatchObject({ id: part.id, pending });
  });

  test("a process that lost its part changes nothing", async () => {
    const { id } = await begin("a", 1);
    const part = await claimPart();

    const saved = { completed: 3, failed: 0, ...noBytes, tokens: noTokens, pending: [], resumeAt: now };
    expect(await store.savePart(part, "someone-else", saved)).toBe(false);

    expect(await store.find(id)).toMatchObject({ counts: { completed: 0 }, status: "in_progress" });
  });

  describe("a batch that is stopped", () => {
    test("drops the parts that wait, and is written when those that run have ended", async () => {
      const { id } = await begin("a", 3);
      const running = await claimPart();

      expect(await store.stop(id, { outcome: "cancelled", now })).toBe(true);
      expect(await store.find(id)).toMatchObject({ status: "cancelling", cancellingAt: now });
      expect(await store.parts.claim(me)).toBeUndefined();
      expect(await store.steps.claim(me)).toBeUndefined();

      const progress = { completed: 1, failed: 0, ...noBytes, tokens: noTokens };
      // The rest of the part will not run either.
      await store.savePart(running, me, { ...progress, pending: [{ line: 2, failures: 0 }], resumeAt: now });
      expect(await store.steps.claim(me)).toMatchObject({ status: "cancelling", outcome: "cancelled" });
    });

    test("drops parts whose lines pause before they are tried again", async () => {
      const { id } = await begin("a", 2);
      const [paused, full] = [await claimPart(), await claimPart()];
      const left = { completed: 1, failed: 0, ...noBytes, tokens: noTokens, resumeAt: now + 60_000 };
      await store.savePart(paused, me, { ...left, pending: [{ line: 2, failures: 1 }] });
      await store.parts.putBack(full.id, me, now + 60_000);

      await store.stop(id, { outcome: "cancelled", now });

      expect(await store.steps.claim(me)).toMatchObject({
        id,
        outcome: "cancelled",
        counts: { completed: 1 },
      });
      now += 60_000;
      await store.parts.recover();
      expect(await store.parts.claim(me)).toBeUndefined();
    });

    test("is written at once if nothing runs", async () => {
      const { id } = await begin("a", 1);

      await store.stop(id, { outcome: "expired", now });

      expect(await store.steps.claim(me)).toMatchObject({ id, status: "finalizing", outcome: "expired" });
    });

    test("while its file is checked, does not begin any more", async () => {
      const { id } = await create("a");
      await store.steps.claim("checker");

      await store.stop(id, { outcome: "cancelled", now });
      await store.begin(id, "checker", validFile(1));

      expect(await store.parts.claim(me)).toBeUndefined();
      expect(await store.steps.claim(me)).toMatchObject({ outcome: "cancelled", inProgressAt: null });
    });

    test("goes from validating to failed, with its faults", async () => {
      const { id } = await create("a");
      const faults = [{ code: "invalid_json_line", line: 2, message: "Not JSON.", param: null }];

      await store.stop(id, { outcome: "failed", faults, now });

      expect(await store.steps.claim(me)).toMatchObject({ status: "validating", outcome: "failed", faults });
    });

    test("cannot be stopped a second time", async () => {
      const { id } = await create("a");

      expect(await store.stop(id, { outcome: "failed", now })).toBe(true);
      expect(await store.stop(id, { outcome: "cancelled", now })).toBe(false);
    });

    test("drops a part that comes back from a process that died", async () => {
      const { id } = await begin("a", 1);
      await claimPart("dead");
      await store.stop(id, { outcome: "cancelled", now });
      now += 60_000;
      await store.parts.recover();

      await store.dropPart(await claimPart(), me);

      expect(await store.steps.claim(me)).toMatchObject({ outcome: "cancelled" });
    });
  });

  test("an ended batch has its files and its final counts, and no parts", async () => {
    const { id } = await begin("a", 1);
    await store.stop(id, { outcome: "expired", now });
    await store.steps.claim(me);
    await store.planOutput(id, me, { outputFileId: null, errorFileId: "file-e" });

    const counts = { total: 3, completed: 0, failed: 3 };
    const event = {
      messageId: "msg_1",
      webhook: "w",
      type: "batch.expired",
      body: "{}",
      createdAt: now,
    } as const;
    const ended = {
      status: "expired",
      outputFileId: null,
      errorFileId: "file-e",
      counts,
      now,
      events: [event],
    } as const;
    expect(await store.end(id, "someone-else", ended)).toBe(false);
    expect(await store.end(id, me, ended)).toBe(true);

    expect(await store.find(id)).toMatchObject({
      status: "expired",
      counts,
      errorFileId: "file-e",
      endedAt: now,
    });
    const stored = await database().kysely.selectFrom("webhook_deliveries").select("message_id").execute();
    expect(stored).toEqual([{ message_id: "msg_1" }]);
    expect(await store.listParts(id, { from: 0, limit: 10 })).toEqual([]);
    expect(await store.steps.claim(me)).toBeUndefined();
    expect(await create("b", {}, { ...bounds, activeMax: 1 })).toMatchObject({ id: batchId("b") });
    expect(await store.endedBefore(now + 1, 10)).toEqual([id]);
    await store.delete([id]);
    expect(await store.find(id)).toBeUndefined();
  });

  test("batches whose time is over are found until they are stopped", async () => {
    const { id, expiresAt } = await create("a");

    expect(await store.overdue(expiresAt - 1)).toEqual([]);
    expect(await store.overdue(expiresAt)).toEqual([id]);
    await store.stop(id, { outcome: "expired", now });
    expect(await store.overdue(expiresAt)).toEqual([]);
  });

  test("lists are paged, newest first, and have one key's batches only", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      now += 1;
      ids.unshift((await create(name, { keyId: name === "c" ? "key_c" : "key_a" })).id);
    }
    const of = (names: string) => [...names].map((name) => batchId(name));

    const page = await store.list({}, { limit: 2 });
    expect(page?.batches.map(({ id }) => id)).toEqual(of("ed"));
    expect(page?.hasMore).toBe(true);
    const next = await store.list({}, { limit: 3, after: batchId("d") });
    expect(next?.batches.map(({ id }) => id)).toEqual(of("cba"));
    expect(next?.hasMore).toBe(false);
    const own = await store.list({ keyId: "key_a" }, { limit: 10 });
    expect(own?.batches.map(({ id }) => id)).toEqual(of("edba"));
    expect(await store.list({ keyId: "key_a" }, { limit: 10, after: batchId("c") })).toBeUndefined();
    expect(await store.list({}, { limit: 10, after: "batch_0" })).toBeUndefined();
    expect((await store.list({ status: "completed" }, { limit: 10 }))?.batches).toEqual([]);
  });

  describe("the space for results", () => {
    const reserve = (name: string, keyId: string, reservedBytes: number) =>
      add(name, { keyId, reservedBytes });
    const upload = (keyId: string, bytes: number) =>
      new DatabaseFileIndex(database(), { site: "here", now: () => now }).check({ keyId, bytes }, quotas);

    test("is reserved with the batch, and counts as if it were stored", async () => {
      expect(await reserve("a", "key_a", 600)).toMatchObject({ reservedBytes: 600 });

      expect(await reserve("b", "key_a", 401)).toBe("keyBytesMax");
      expect(await upload("key_a", 401)).toBe("keyBytesMax");
      expect(await upload("key_a", 400)).toBeUndefined();
      expect(await reserve("c", "key_c", 1000)).toMatchObject({ reservedBytes: 1000 });
    });

    test("leaves a share of the store for every key", async () => {
      const names = [..."abcdefgh"];
      const taken: unknown[] = [];
      for (const name of names) taken.push(await reserve(name, `key_${name}`, 900));

      expect(taken.filter((one) => one !== "storeBytesMax")).toHaveLength(3);
      expect(await reserve("1", "key_new", 300)).toMatchObject({ reservedBytes: 300 });
      expect(await reserve("2", "key_a", 1)).toBe("storeBytesMax");
    });

    test("survives a restart, and is free again when the batch has ended", async () => {
      const { id } = await begin("a", 1, 900);
      const again = new DatabaseBatchStore(await open(), { site: "here", now: () => now });
      expect(await again.exceeded("key_a", { ...quotas, keyBytesMax: 900 })).toBe("keyBytesMax");

      await store.stop(id, { outcome: "cancelled", now });
      const ended = { status: "cancelled", outputFileId: null, errorFileId: null, now, events: [] } as const;
      await store.steps.claim(me);
      await store.end(id, me, { ...ended, counts: { total: 3, completed: 0, failed: 3 } });

      expect(await upload("key_a", 1000)).toBeUndefined();
    });

    test("becomes exact when the file is checked, or the batch does not begin", async () => {
      const [one, other] = [await create("a"), await create("b")];
      for (const { id } of [one, other]) await store.steps.claim(me).then(() => id);

      expect(await store.begin(one.id, me, validFile(1, 700))).toBeUndefined();
      expect(await store.begin(other.id, me, validFile(1, 301))).toBe("keyBytesMax");

      expect(await store.find(one.id)).toMatchObject({ reservedBytes: 700, plannedBytes: 700 });
      expect(await store.find(other.id)).toMatchObject({ status: "validating", outcome: null });
      expect(await store.begin(other.id, me, validFile(1, 300))).toBeUndefined();
    });

    test("is replaced part by part with the size of the results, which may be larger", async () => {
      const { id } = await begin("a", 2, 800);
      const [first, second] = [await claimPart(), await claimPart()];
      const saved = { completed: 3, failed: 0, tokens: noTokens, pending: [], resumeAt: now };

      await store.savePart(first, me, { ...saved, storedBytes: 100, estimatedBytes: 400, linkedBytes: 30 });
      expect(await store.find(id)).toMatchObject({ reservedBytes: 500, plannedBytes: 800, linkedBytes: 30 });
      expect(await store.exceeded("key_a", quotas)).toBeUndefined();
      await store.savePart(second, me, { ...saved, storedBytes: 1100, estimatedBytes: 400, linkedBytes: 0 });

      expect(await store.find(id)).toMatchObject({ reservedBytes: 1200 });
      expect(await store.exceeded("key_a", quotas)).toBe("keyBytesMax");
    });

    test("is not taken twice by batches that are created at once, at two replicas", async () => {
      const other = new DatabaseBatchStore(await open(), { site: "here", now: () => now });

      const created = await Promise.all(
        [..."abcdef"].map((name, at) =>
          (at % 2 === 0 ? store : other).create(newBatch(name, { reservedBytes: 300 }), bounds),
        ),
      );

      expect(created.filter((one) => one === "keyBytesMax")).toHaveLength(3);
    });

    test("is there for two files of each batch", async () => {
      const few = { ...bounds, quotas: { ...quotas, keyFilesMax: 3 } };

      expect(await store.create(newBatch("a"), few)).toMatchObject({ id: batchId("a") });
      expect(await store.create(newBatch("b"), few)).toBe("keyFilesMax");
    });
  });

  test("a key has so many batches at once, however many it creates together", async () => {
    const few = { ...bounds, activeMax: 2 };

    const created = await Promise.all([..."abcd"].map((name) => store.create(newBatch(name), few)));

    expect(created.filter((one) => one === "activeMax")).toHaveLength(2);
    expect(await store.create(newBatch("e", { keyId: "key_e" }), few)).toMatchObject({ id: batchId("e") });
  });

  test("a part that has not begun rests, and its attempt does not count", async () => {
    const { id } = await begin("a", 1);
    await claimPart();
    now += leaseMs;
    await store.parts.recover();
    await store.parts.putBack((await claimPart()).id, me, now + 1000);
    await store.parts.recover();
    expect(await store.parts.claim(me)).toBeUndefined();

    now += 1000;
    await store.parts.recover();

    // The first attempt was cut off, and may have left responses.
    expect(await store.parts.claim(me)).toMatchObject({ batchId: id, attempts: 2, pending: null });
  });

  type Changes = Partial<Pick<NewBatch, "keyId" | "metadata" | "reservedBytes">>;

  function newBatch(name: string, more: Changes = {}): NewBatch {
    return {
      id: batchId(name),
      keyId: "key_a",
      keyName: "A",
      owner: undefined,
      endpoint: "/v1/embeddings",
      inputFileId: "file-1",
      site: "here",
      origin: "http://gateway",
      metadata: null,
      outputTtlMs: null,
      createdAt: now,
      expiresAt: now + 86_400_000,
      reservedBytes: 0,
      ...more,
    };
  }

  function add(name: string, more: Changes = {}, within = bounds): Promise<Batch | ExceededBound> {
    return store.create(newBatch(name, more), within);
  }

  async function create(name: string, more: Changes = {}, within = bounds): Promise<Batch> {
    const created = await add(name, more, within);
    if (typeof created === "string") throw new Error(created);
    return created;
  }

  function validFile(parts: number, resultBytes = 0) {
    return { model: "m", total: parts * 3, ranges: ranges(parts), resultBytes, quotas, now };
  }

  async function begin(name: string, parts: number, resultBytes = 0): Promise<Batch> {
    const batch = await create(name);
    await store.steps.claim(me);
    await store.begin(batch.id, me, validFile(parts, resultBytes));
    return batch;
  }

  async function claimPart(holder = me): Promise<BatchPart> {
    const part = await store.parts.claim(holder);
    if (part === undefined) throw new Error("There is no part to claim.");
    return part;
  }
});

function batchId(name: string): string {
  return `batch_${name.repeat(32)}`;
}

function ranges(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    start: at * 30,
    end: (at + 1) * 30,
    firstLine: at * 3 + 1,
    lines: 3,
  }));
}
