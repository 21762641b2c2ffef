import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSettings } from "@model-gateway/config/config";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import { FileService } from "../files/file-service.js";
import { DatabaseBatchStore } from "../storage/batches/batch-store.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import { DatabaseFileIndex } from "../storage/files/file-index.js";
import { BatchService, type BatchServiceOptions } from "./batch-service.js";
import type { BatchStore } from "./batch-store.js";
import { KnownRefusals } from "./known-refusals.js";

const hourMs = 3_600_000;
const key: AccessKey = { id: "key_a", name: "a", owner: "alice", limits: {}, isDisabled: false };
const stranger: AccessKey = { id: "key_b", name: "b", limits: {}, isDisabled: false };
const origin = "http://gateway.example";
const line = `${JSON.stringify({ custom_id: "1", method: "POST", url: "/v1/embeddings", body: { model: "m", input: "a" } })}\n`;
const limits = { fileBytesMax: 1000, linesMax: 100, inputsMax: 10, lineBytesMax: 1000 };
const settings: FileSettings = {
  fileBytesMax: 5000,
  keyBytesMax: 10_000_000,
  keyFilesMax: 10,
  storeBytesMax: 20_000_000,
  keepMs: 24 * hourMs,
};

describeDatabaseOfTier("batches of callers", ({ database }) => {
  let now: number;
  let files: FileService;
  let store: BatchStore;
  let refusals: KnownRefusals;
  let changes: number;
  beforeEach(async () => {
    now = 1_787_150_086_000;
    changes = 0;
    const dataDir = mkdtempSync(join(tmpdir(), "batches-"));
    const disk = { checkRoom: () => undefined };
    files = openFiles(await openDiskFileStore({ dataDir, disk, self: { id: 1, isAlive: () => true } }));
    store = new DatabaseBatchStore(database(), { site: "here", now: () => now });
    refusals = new KnownRefusals({ files, limits });
    return () => rmSync(dataDir, { recursive: true });
  });
  const openFiles = (bytes: FileService["store"], quotas: Partial<FileSettings> = {}) =>
    new FileService({
      store: bytes,
      index: new DatabaseFileIndex(database(), { site: "here", now: () => now }),
      settings: { ...settings, ...quotas },
      now: () => now,
      log: pino({ level: "silent" }),
    });
  const open = (options: Partial<BatchServiceOptions> = {}) =>
    new BatchService({
      store,
      files,
      refusals,
      widthOf: () => 100,
      checkBudget: async () => undefined,
      onChange: () => {
        changes += 1;
      },
      limits,
      activeMax: 2,
      now: () => now,
      ...options,
    });
  async function upload(content = line, { purpose = "batch" }: { purpose?: "batch" | "batch_output" } = {}) {
    const arriving = await files.begin({ keyId: key.id, owner: key.owner });
    await arriving.write(Buffer.from(content));
    return arriving.finish({ filename: "in.jsonl", purpose });
  }
  const requestOf = (input_file_id: string) =>
    ({ input_file_id, endpoint: "/v1/embeddings", completion_window: "24h" }) as const;

  test("a batch belongs to its key, has a day, and reserves room for its results", async () => {
    const file = await upload();

    const batch = await open().create(
      {
        ...requestOf(file.id),
        metadata: { corpus: "x" },
        output_expires_after: { anchor: "created_at", seconds: 3600 },
      },
      { key, origin },
    );

    expect(batch).toMatchObject({
      id: expect.stringMatching(/^batch_[0-9a-f]{24}$/),
      keyId: "key_a",
      keyName: "a",
      owner: "alice",
      status: "validating",
      endpoint: "/v1/embeddings",
      inputFileId: file.id,
      site: "here",
      origin,
      metadata: { corpus: "x" },
      outputTtlMs: hourMs,
      createdAt: now,
      expiresAt: now + 24 * hourMs,
    });
    expect(batch.reservedBytes).toBeGreaterThan(1000);
    expect(changes).toBe(1);
    expect(await open().create(requestOf(file.id), { key, origin })).toMatchObject({
      metadata: null,
      outputTtlMs: null,
    });
  });

  test("a file that a batch cannot take is refused by the field that names it", async () => {
    const other = await upload(line, { purpose: "batch_output" });
    const large = await upload(line.repeat(12));
    const service = open();
    const creating = (id: string, of = key) => service.create(requestOf(id), { key: of, origin });

    await expect(creating("file-none")).rejects.toMatchObject({
      code: "file_not_found",
      param: "input_file_id",
    });
    await expect(creating(large.id, stranger)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(creating(other.id)).rejects.toMatchObject({
      code: "invalid_value",
      param: "input_file_id",
      message: expect.stringContaining("purpose 'batch'"),
    });
    await expect(creating(large.id)).rejects.toMatchObject({
      code: "invalid_value",
      message: expect.stringContaining("larger than 1000 bytes"),
    });
    expect(
      await open({ limits: { ...limits, fileBytesMax: large.bytes } }).create(requestOf(large.id), {
        key,
        origin,
      }),
    ).toMatchObject({ status: "validating" });
    expect(changes).toBe(1);
  });

  test("a file is not called missing while the index is down", async () => {
    const down = errorOf("file_store_unavailable", {});
    const broken = { ...files, quotas: files.quotas, retrieve: () => Promise.reject(down) };

    await expect(open({ files: broken as never }).create(requestOf("file-1"), { key, origin })).rejects.toBe(
      down,
    );
  });

  test("a file with known faults is not read again at the same endpoint", async () => {
    const file = await upload();
    const fault = { code: "invalid_json", line: 3, message: "", param: null } as const;
    await refusals.note(file.id, "/v1/embeddings", [fault]);
    const service = open();

    await expect(service.create(requestOf(file.id), { key, origin })).rejects.toMatchObject({
      code: "invalid_value",
      param: "input_file_id",
      message: expect.stringContaining("the fault 'invalid_json' in line 3."),
    });
    const images = { ...requestOf(file.id), endpoint: "/v1/images/generations" } as const;
    expect(await service.create(images, { key, origin })).toMatchObject({ status: "validating" });

    await refusals.note(file.id, "/v1/embeddings", [{ ...fault, code: "empty_file", line: null }]);
    await expect(service.create(requestOf(file.id), { key, origin })).rejects.toMatchObject({
      message: expect.stringContaining("the fault 'empty_file'. Correct it"),
    });
  });

  test("a key whose budget is used up begins no batch", async () => {
    const file = await upload();
    const spent = new GatewayError("insufficient_quota", "The budget is used up.");

    const creating = open({ checkBudget: () => Promise.reject(spent) }).create(requestOf(file.id), {
      key,
      origin,
    });

    await expect(creating).rejects.toBe(spent);
    expect(changes).toBe(0);
  });

  test("a key has a bounded number of batches, and results that have no room are refused", async () => {
    const file = await upload();
    const service = open();
    for (let count = 0; count < 2; count += 1) await service.create(requestOf(file.id), { key, origin });

    await expect(service.create(requestOf(file.id), { key, origin })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      retryAfterMs: 60_000,
      message: expect.stringContaining("This key has 2 batches"),
    });

    const refusalBy = (quotas: Partial<FileSettings>) =>
      open({ activeMax: 10, files: openFiles(files.store, quotas) })
        .create(requestOf(file.id), { key, origin })
        .catch((failure: unknown) => failure);
    expect(await refusalBy({ keyBytesMax: 500 })).toMatchObject({
      code: "file_quota_exceeded",
      param: "input_file_id",
      retryAfterMs: undefined,
    });
    expect(await refusalBy({ storeBytesMax: 500 })).toMatchObject({
      code: "storage_full",
      param: "input_file_id",
      retryAfterMs: 60_000,
    });
    expect(changes).toBe(2);
  });

  test("a batch is found by its key, its owner and operators", async () => {
    const file = await upload();
    const service = open();
    const { id } = await service.create(requestOf(file.id), { key, origin });

    expect(await service.retrieve(id, { keyId: "key_c", owner: "alice" })).toMatchObject({ id });
    expect(await service.retrieve(id, "operator")).toMatchObject({ id });
    for (const [wanted, viewer] of [
      [id, { keyId: "key_b" }],
      ["batch_0", { keyId: "key_a" }],
    ] as const)
      await expect(service.retrieve(wanted, viewer)).rejects.toMatchObject({
        code: "batch_not_found",
        param: "batch",
      });
    expect((await service.list({ keyId: "key_a" }, { limit: 10 })).batches).toMatchObject([{ id }]);
    await expect(service.list({ keyId: "key_b" }, { limit: 10, after: id })).rejects.toMatchObject({
      code: "invalid_value",
      param: "after",
    });
  });

  test("a batch is cancelled once, and one that has ended is not", async () => {
    const file = await upload();
    const service = open();
    const { id } = await service.create(requestOf(file.id), { key, origin });

    await expect(service.cancel(id, { keyId: "key_b" })).rejects.toMatchObject({ code: "batch_not_found" });
    const cancelled = await service.cancel(id, { keyId: "key_a" });
    expect(cancelled).toMatchObject({ status: "cancelling", outcome: "cancelled", cancellingAt: now });
    expect(await service.cancel(id, { keyId: "key_a" })).toEqual(cancelled);
    expect(changes).toBe(2);

    await store.steps.claim("holder");
    const counts = { total: 0, completed: 0, failed: 0 };
    await store.end(id, "holder", {
      status: "cancelled",
      outputFileId: null,
      errorFileId: null,
      counts,
      now,
      events: [],
    });
    await expect(service.cancel(id, { keyId: "key_a" })).rejects.toMatchObject({
      code: "batch_ended",
      param: "batch",
      message: expect.stringContaining("cancelled"),
    });
  });

  test("a batch whose end was decided meanwhile is not cancelled", async () => {
    const file = await upload();
    const { id } = await open().create(requestOf(file.id), { key, origin });
    await store.stop(id, { outcome: "expired", now });

    await expect(open().cancel(id, { keyId: "key_a" })).rejects.toMatchObject({ code: "batch_ended" });
    expect(changes).toBe(1);
  });
});
