import { beforeEach, describe, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { Batch, BatchPart } from "../../batches/batch.js";
import type { BatchStore } from "../../batches/batch-store.js";
import { createBatchStore } from "./batch-store.js";

const me = "holder-1";
const noTokens = { input: 0, output: 0 };

describeDatabaseOfTier("batches", ({ database, open }) => {
  let now = 0;
  let store: BatchStore;

  beforeEach(() => {
    now = 1_790_000_000_000;
    store = createBatchStore(database(), { site: "here", now: () => now });
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
    const progress = { completed: 2, failed: 1, tokens: { input: 7, output: 1 } };
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
    const other = createBatchStore(await open(), { site: "here", now: () => now });
    await begin("a", 2);
    const [first, second] = [await claimPart(), await claimPart()];
    const saved = { completed: 1, failed: 0, tokens: noTokens, pending: [], resumeAt: now };

    await Promise.all([store.savePart(first, me, saved), other.savePart(second, me, saved)]);

    expect(await store.steps.claim(me)).toMatchObject({ outcome: "completed", counts: { completed: 2 } });
  });

  test("a part whose lines must wait is claimed again with those that are left", async () => {
    await begin("a", 1);
    const part = await claimPart();
    const pending = [{ line: 3, failures: 1 }];

    const progress = { completed: 2, failed: 0, tokens: noTokens };
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

    const saved = { completed: 3, failed: 0, tokens: noTokens, pending: [], resumeAt: now };
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

      const progress = { completed: 1, failed: 0, tokens: noTokens };
      // The rest of the part will not run either.
      await store.savePart(running, me, { ...progress, pending: [{ line: 2, failures: 0 }], resumeAt: now });
      expect(await store.steps.claim(me)).toMatchObject({ status: "cancelling", outcome: "cancelled" });
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
      await store.begin(id, "checker", { model: "m", total: 3, ranges: ranges(1), now });

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
    expect(await store.countActive("key_a")).toBe(0);
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
    expect(await store.countActive("key_a")).toBe(4);
  });

  async function create(
    name: string,
    more: { keyId?: string; metadata?: Batch["metadata"] } = {},
  ): Promise<Batch> {
    return store.create({
      id: batchId(name),
      keyId: "key_a",
      keyName: "A",
      endpoint: "/v1/embeddings",
      inputFileId: "file-1",
      site: "here",
      origin: "http://gateway",
      metadata: null,
      outputTtlMs: null,
      createdAt: now,
      expiresAt: now + 86_400_000,
      ...more,
    });
  }

  async function begin(name: string, parts: number): Promise<Batch> {
    const batch = await create(name);
    await store.steps.claim(me);
    await store.begin(batch.id, me, { model: "m", total: parts * 3, ranges: ranges(parts), now });
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
