import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FileSettings } from "@model-gateway/config/config";
import { fileStoreUnavailable } from "@model-gateway/domain/errors";
import pino from "pino";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import { DatabaseFileIndex } from "../storage/files/file-index.js";
import { FileService } from "./file-service.js";
import type { FileStore } from "./file-store.js";

const dayMs = 86_400_000;
const settings: FileSettings = {
  fileBytesMax: 1000,
  keyBytesMax: 3000,
  keyFilesMax: 5,
  storeBytesMax: 8000,
  keepMs: 30 * dayMs,
};
const described = { filename: "input.jsonl", purpose: "batch" } as const;
const own = { keyId: "key_a" };

describeDatabaseOfTier("files of callers", ({ database }) => {
  let dataDir: string;
  let now: number;
  let store: FileStore;
  let files: FileService;
  beforeEach(async () => {
    now = Date.now();
    dataDir = mkdtempSync(join(tmpdir(), "files-"));
    const disk = { checkRoom: () => undefined };
    store = await openDiskFileStore({ dataDir, disk, self: { id: 1, isAlive: () => true } });
    files = open();
    return () => rmSync(dataDir, { recursive: true });
  });
  const open = (changes: Partial<FileSettings> = {}, site = "here") =>
    new FileService({
      store,
      index: new DatabaseFileIndex(database(), { site, now: () => now }),
      settings: { ...settings, ...changes },
      now: () => now,
      log: pino({ level: "silent" }),
    });
  const stored = () => readdirSync(join(dataDir, "files")).sort();
  async function upload(content: string, { keyId } = own) {
    const arriving = await files.begin({ keyId });
    await arriving.write(Buffer.from(content));
    return arriving.finish(described);
  }

  test("an uploaded file belongs to its key", async () => {
    const record = await upload("one\n");

    expect(record).toEqual({
      id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
      keyId: "key_a",
      ...described,
      bytes: 4,
      createdAt: now,
      expiresAt: now + 30 * dayMs,
      site: "here",
    });
    expect(await files.retrieve(record.id, own)).toEqual(record);
    expect(await files.retrieve(record.id, "operator")).toEqual(record);
    expect(await text(await files.read(record))).toBe("one\n");
    expect(await text(await files.read(record, { start: 1, end: 3 }))).toBe("ne");
    const refusals = await Promise.allSettled([
      files.retrieve(record.id, { keyId: "key_b" }),
      files.delete(record.id, { keyId: "key_b" }),
      files.retrieve("file-unknown", own),
    ]);
    expect(refusals).toEqual(
      refusals.map(() => ({
        status: "rejected",
        reason: expect.objectContaining({ code: "file_not_found" }),
      })),
    );
    const query = { order: "desc", limit: 10 } as const;
    expect(await files.list(query, own)).toEqual({ items: [record], hasMore: false });
    expect(await files.list(query, { keyId: "key_b" })).toEqual({ items: [], hasMore: false });
    expect(await files.list(query, "operator")).toEqual({ items: [record], hasMore: false });
  });

  test("a deleted file has no bytes, and is not found", async () => {
    const record = await upload("one\n");
    expect(stored()).toEqual([record.id]);

    await files.delete(record.id, own);

    expect(stored()).toEqual([]);
    await expect(files.delete(record.id, own)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(files.read(record)).rejects.toMatchObject({ code: "file_not_found" });
  });

  test("a file whose bytes are elsewhere is not missing, but unavailable", async () => {
    const record = await upload("one\n");
    await store.delete(record.id);

    await expect(files.read(record)).rejects.toMatchObject({
      code: "file_store_unavailable",
      status: 503,
      retryAfterMs: 1000,
      message: expect.not.stringContaining("another gateway"),
    });
  });

  test("a store that is down is reported as it is, for reads and for deletions", async () => {
    const record = await upload("one\n");
    const down = fileStoreUnavailable(new Error("down"));
    vi.spyOn(store, "read").mockRejectedValue(down);
    vi.spyOn(store, "delete").mockRejectedValue(down);

    await expect(files.read(record)).rejects.toBe(down);
    // The record is gone for every caller, and a sweep deletes the bytes.
    await files.delete(record.id, own);
    await expect(files.retrieve(record.id, own)).rejects.toMatchObject({ code: "file_not_found" });
  });

  test("a file of another gateway is deleted for every caller, and that gateway frees its bytes", async () => {
    const record = await upload("one\n");
    const folder = mkdtempSync(join(tmpdir(), "files-"));
    const disk = { checkRoom: () => undefined };
    const here = store;
    store = await openDiskFileStore({ dataDir: folder, disk, self: { id: 1, isAlive: () => true } });
    const other = open({}, "there");

    const reading = await other.read(record).catch((failure: unknown) => failure);
    await other.delete(record.id, own);
    await other.sweep();
    const kept = stored();
    store = here;
    await files.sweep();
    rmSync(folder, { recursive: true });

    expect(reading).toMatchObject({
      code: "file_store_unavailable",
      message: expect.stringContaining("on the disk of another gateway"),
    });
    await expect(files.retrieve(record.id, own)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(other.delete(record.id, own)).rejects.toMatchObject({ code: "file_not_found" });
    expect([kept, stored()]).toEqual([[record.id], []]);
  });

  test("a file over a limit is refused, and leaves no bytes", async () => {
    const arriving = await files.begin(own);
    await arriving.write(Buffer.alloc(1000));
    await expect(arriving.write(Buffer.alloc(1))).rejects.toMatchObject({
      code: "content_too_large",
      message: "The file is larger than the limit of 1000 bytes.",
    });
    await arriving.abort();
    expect(stored()).toEqual([]);

    for (let count = 0; count < 3; count += 1) await upload("a".repeat(900));
    await expect(files.begin(own, 400)).rejects.toMatchObject({
      code: "file_quota_exceeded",
      message: "This key may store 3000 bytes of files. Delete some, and upload the file again.",
    });
    await expect(upload("a".repeat(400))).rejects.toMatchObject({ code: "file_quota_exceeded", status: 403 });
    await upload("a");
    await upload("a");
    await expect(files.begin(own)).rejects.toMatchObject({
      message: "This key may store 5 files. Delete some, and upload the file again.",
    });
    files = open({ storeBytesMax: 4500 });
    await upload("a".repeat(1000), { keyId: "key_b" });
    await expect(files.begin({ keyId: "key_b" }, 999)).rejects.toMatchObject({
      code: "storage_full",
      status: 503,
    });
    // There is room for a key that has nothing.
    await upload("a".repeat(700), { keyId: "key_c" });
    expect(stored()).toHaveLength(7);
  });

  test("so many files arrive at once, and no more", async () => {
    files = open({ keyFilesMax: 100 });
    const others = [...Array(4).fill("key_b"), ...Array(2).fill("key_c"), "key_d", "key_e"];
    const keys = [...Array(8).fill(own.keyId), ...others];
    const arriving = await Promise.all(keys.map((keyId) => files.begin({ ...own, keyId })));

    for (const keyId of [own.keyId, "key_b", "key_f"])
      await expect(files.begin({ ...own, keyId })).rejects.toMatchObject({
        code: "gateway_overloaded",
        status: 503,
        retryAfterMs: 1000,
        nothingBilled: true,
      });
    for (const one of arriving.slice(8)) await one.abort();
    await arriving[0]?.abort();
    await arriving[1]?.finish(described);
    await (await files.begin(own)).abort();

    for (const one of arriving.slice(2, 8)) await one.abort();
    expect(stored()).toHaveLength(1);
  });

  test("the output of a batch is never refused for its quotas", async () => {
    async function* lines() {
      for (let count = 0; count < 40; count += 1) yield Buffer.alloc(100, "a");
    }
    const expiresAt = now + dayMs;

    const record = await files.createOutput({
      keyId: "key_a",
      filename: "output.jsonl",
      expiresAt,
      linkedBytes: 500,
      write: lines(),
    });

    expect(record).toMatchObject({ purpose: "batch_output", bytes: 4000, linkedBytes: 500, expiresAt });
    await expect(files.begin(own)).rejects.toMatchObject({ code: "file_quota_exceeded" });
  });

  test("an output that fails leaves no bytes", async () => {
    async function* lines() {
      yield Buffer.alloc(600_000);
      throw new Error("broken");
    }

    const creating = files.createOutput({
      keyId: "a",
      filename: "o",
      expiresAt: now + dayMs,
      linkedBytes: 0,
      write: lines(),
    });

    await expect(creating).rejects.toThrow("broken");
    expect(stored()).toEqual([]);
  });

  describe("a sweep", () => {
    test("frees the bytes of expired files", async () => {
      const arriving = await files.begin(own);
      await arriving.finish({ ...described, expiresAt: now + 3_600_000 });
      const young = await upload("young");

      now += 3_599_999;
      await files.sweep();
      expect(stored()).toHaveLength(2);
      now += 1;
      await files.sweep();

      expect(stored()).toEqual([young.id]);
      expect((await files.list({ order: "asc", limit: 10 }, own)).items).toEqual([young]);
    });

    test("removes old bytes without a record, and of other kinds only those that are not needed", async () => {
      const record = await upload("known");
      for (const id of ["file-orphan", "file-young", "part-needed", "part-done", "job-other"]) {
        const writer = await store.create(id);
        await writer.commit();
        if (id !== "file-young") utimesSync(join(dataDir, "files", id), 1, 1);
      }
      utimesSync(join(dataDir, "files", record.id), 1, 1);
      files.sweepKind("part", async (ids) => new Set(ids.filter((id) => id === "part-needed")));

      await files.sweep();

      expect(stored()).toEqual([record.id, "file-young", "job-other", "part-needed"].sort());
    });

    test("looks for bytes without a record once an hour, on one of the gateways that share them", async () => {
      const index = new DatabaseFileIndex(database(), { site: "shared", now: () => now });
      const other = new DatabaseFileIndex(database(), { site: "elsewhere", now: () => now });
      const claims = async (among: DatabaseFileIndex = index) => among.claimOrphanSearch(3_600_000);

      const together = await Promise.all([claims(), claims(), claims()]);

      expect(together.filter((isClaimed) => isClaimed)).toEqual([true]);
      expect([await claims(), await claims(other)]).toEqual([false, true]);
      now += 3_600_000;
      expect([await claims(), await claims()]).toEqual([true, false]);
      now -= 10 * 3_600_000;
      expect(await claims()).toBe(true);
    });
  });
});
