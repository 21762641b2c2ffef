import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FileSettings } from "@model-gateway/config/config";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { diskFull, GatewayError } from "@model-gateway/domain/errors";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import type { DetachedRequest, DetachedResponse } from "../execution/detached-request.js";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import { FileService } from "../files/file-service.js";
import { DatabaseBatchStore } from "../storage/batches/batch-store.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import { DatabaseFileIndex } from "../storage/files/file-index.js";
import { leaseMs } from "../work/leased-work.js";
import type { Batch } from "./batch.js";
import { BatchRunner, type BatchRunnerOptions } from "./batch-runner.js";
import type { BatchStore } from "./batch-store.js";
import { KnownRefusals } from "./known-refusals.js";

const hourMs = 3_600_000;
const key: AccessKey = { id: "key_a", name: "a", limits: {}, isDisabled: false };
const limits = { fileBytesMax: 1_000_000, linesMax: 1000, inputsMax: 1000, lineBytesMax: 10_000 };
const settings: FileSettings = {
  fileBytesMax: 1_000_000,
  keyBytesMax: 100_000_000,
  keyFilesMax: 10,
  storeBytesMax: 200_000_000,
  keepMs: 24 * hourMs,
};
const { jsonShape } = operationsOf(readSpec()).find(({ id }) => id === "createEmbedding") ?? {};
const lineOf = (id: number, model = "m") =>
  `${JSON.stringify({ custom_id: `row-${id}`, method: "POST", url: "/v1/embeddings", body: { model, input: "a" } })}\n`;
const embedded = (): DetachedResponse => ({
  status: 200,
  headers: {},
  body: Buffer.from('{"object":"list","data":[],"model":"m","usage":{"prompt_tokens":2,"total_tokens":2}}'),
});

describeDatabaseOfTier("the runner of batches", ({ database }) => {
  let now: number;
  let dataDir: string;
  let isFull: boolean;
  let files: FileService;
  let store: BatchStore;
  let refusals: KnownRefusals;
  let ended: number;
  let lines: { level: number; err?: { message: string } }[];
  let runner: BatchRunner | undefined;
  let looks: (() => void)[];
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    now = 1_787_150_086_000;
    isFull = false;
    ended = 0;
    [lines, looks, runner] = [[], [], undefined];
    dataDir = mkdtempSync(join(tmpdir(), "batches-"));
    const checkRoom = () => {
      if (isFull) throw diskFull();
    };
    files = new FileService({
      store: await openDiskFileStore({ dataDir, disk: { checkRoom }, self: { id: 1, isAlive: () => true } }),
      index: new DatabaseFileIndex(database(), { site: "here", now: () => now }),
      settings,
      now: () => now,
      log: pino({ level: "silent" }),
    });
    store = new DatabaseBatchStore(database(), { site: "here", now: () => now });
    refusals = new KnownRefusals({ files, limits });
  });
  afterEach(async () => {
    vi.useRealTimers();
    isFull = false;
    await runner?.close();
    rmSync(dataDir, { recursive: true });
  });

  async function createBatch(content: string, changes: Partial<Batch> = {}): Promise<string> {
    const arriving = await files.begin({ keyId: key.id });
    await arriving.write(Buffer.from(content));
    const { id: inputFileId } = await arriving.finish({ filename: "in.jsonl", purpose: "batch" });
    const created = await store.create(
      {
        id: `batch_${"a".repeat(24)}`,
        keyId: key.id,
        keyName: key.name,
        endpoint: "/v1/embeddings",
        inputFileId,
        site: "here",
        origin: "http://gateway.example",
        metadata: null,
        outputTtlMs: null,
        createdAt: now,
        expiresAt: now + 24 * hourMs,
        reservedBytes: 1000,
        ...changes,
      },
      { quotas: settings, activeMax: 10 },
    );
    if (typeof created === "string") throw new Error(created);
    return created.id;
  }

  function start(options: Partial<BatchRunnerOptions> = {}): void {
    runner = new BatchRunner({
      store,
      files,
      run: async () => embedded(),
      links: { files: files.store, signed: { sign: () => ({ path: "/" }) }, ttlMs: 1 },
      findKey: async () => key,
      checkModel: () => () => undefined,
      limits,
      refusals,
      shapeOf: () => jsonShape!,
      widthOf: () => 10,
      concurrency: 2,
      keepMs: 24 * hourMs,
      holder: "holder",
      now: () => now,
      clock: {
        now: () => now,
        wait: (_ms, signal) =>
          new Promise((resolve) => {
            looks.push(resolve);
            signal.addEventListener("abort", () => resolve());
          }),
      },
      random: () => 0.5,
      log: pino(
        { level: "debug", base: null },
        { write: (line: string) => void lines.push(JSON.parse(line)) },
      ),
      announce: () => [],
      onEnded: () => {
        ended += 1;
      },
      ...options,
    });
    runner.start();
  }
  /** Ends the waits of the runner. */
  const look = () => {
    for (const resolve of looks.splice(0)) resolve();
  };
  const ends = (id: string, expected: object) =>
    expect
      .poll(async () => {
        look();
        return store.find(id);
      })
      .toMatchObject(expected);
  const contentOf = async (id: string | null | undefined) =>
    text(await files.read(await files.retrieve(id ?? "", "operator")));
  const idsIn = (content: string) =>
    content
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).custom_id);

  test("a batch of several parts ends with the results of all lines, and leaves no parts", async () => {
    const ids = Array.from({ length: 600 }, (_, at) => at);
    const id = await createBatch(ids.map((at) => lineOf(at)).join(""), { outputTtlMs: hourMs });
    const failing = new Set<string>();
    const run = async (request: DetachedRequest) => {
      if (failing.size >= 2 || request.requestId.endsWith("0")) return embedded();
      failing.add(request.requestId);
      const error = new GatewayError("invalid_value", "It is too wide.");
      expect(request.runsAgain?.(error)).toBe(false);
      return { status: 400, headers: {}, body: Buffer.from('{"error":{}}'), error };
    };

    start({ run });
    await ends(id, { status: "completed", counts: { total: 600, completed: 598, failed: 2 } });

    const batch = await store.find(id);
    const output = idsIn(await contentOf(batch?.outputFileId));
    const errors = idsIn(await contentOf(batch?.errorFileId));
    expect(batch?.tokens).toEqual({ input: 2 * 598, output: 0 });
    expect([...output, ...errors].sort()).toEqual(ids.map((at) => `row-${at}`).sort());
    expect([output.length, errors.length]).toEqual([598, 2]);
    expect(await files.retrieve(batch?.outputFileId ?? "", "operator")).toMatchObject({
      filename: `${id}_output.jsonl`,
      purpose: "batch_output",
      keyId: key.id,
      expiresAt: now + hourMs,
    });
    await expect.poll(() => ended).toBe(1);
    expect(readdirSync(join(dataDir, "files")).filter((name) => name.startsWith("part-"))).toEqual([]);
  });

  test("a batch without errors has no error file, and one without results no output file", async () => {
    const good = await createBatch(lineOf(1));
    start();
    await ends(good, { status: "completed", errorFileId: null });
    await runner?.close();

    const bad = await createBatch(lineOf(1), { id: `batch_${"b".repeat(24)}` });
    start({
      run: async () => ({ ...embedded(), status: 400, error: new GatewayError("invalid_value", "No.") }),
    });
    await ends(bad, { status: "completed" });

    expect((await store.find(good))?.outputFileId).toMatch(/^file-/);
  });

  test("the file of a key that works no longer is not read", async () => {
    const id = await createBatch("not json\n");

    start({ findKey: async () => ({ refusal: "The key was revoked." }) });

    await ends(id, {
      status: "failed",
      faults: [{ code: "invalid_api_key", line: null, message: "The key was revoked.", param: null }],
    });
  });

  test("a key that is revoked while lines run stops the batch", async () => {
    const id = await createBatch(lineOf(1) + lineOf(2));
    const error = new GatewayError("invalid_api_key", "The key was revoked.");

    start({
      run: async ({ runsAgain }) => {
        runsAgain?.(error);
        return { ...embedded(), status: 401, error };
      },
    });

    await ends(id, {
      status: "failed",
      faults: [{ code: "invalid_api_key", message: "The key was revoked." }],
    });
    expect(idsIn(await contentOf((await store.find(id))?.errorFileId))).toEqual(["row-1", "row-2"]);
  });

  test("faults of a file are remembered with it, and those of a key's models are not", async () => {
    const faulty = await createBatch("not json\n");
    const refused = await createBatch(lineOf(1), { id: `batch_${"b".repeat(24)}` });
    const fault = { code: "model_not_found", param: "model", message: "There is no such model." };

    start({ checkModel: () => (model) => (model === "m" ? fault : undefined) });
    await ends(faulty, { status: "failed", faults: [{ code: "invalid_json_line", line: 1 }] });
    await ends(refused, { status: "failed", faults: [{ ...fault, param: "body.model", line: 1 }] });

    const [first, second] = [await store.find(faulty), await store.find(refused)];
    expect(await refusals.find(first?.inputFileId ?? "", "/v1/embeddings")).toEqual(first?.faults);
    expect(await refusals.find(second?.inputFileId ?? "", "/v1/embeddings")).toBeUndefined();
    await runner?.close();

    const again = await createBatch(lineOf(1), {
      id: `batch_${"c".repeat(24)}`,
      inputFileId: first?.inputFileId ?? "",
    });
    await files.store.delete(first?.inputFileId ?? "");
    start();
    await ends(again, { status: "failed", faults: [{ code: "invalid_json_line", line: 1 }] });
  });

  test("a batch whose file is gone has failed", async () => {
    const id = await createBatch(lineOf(1));
    await files.store.delete((await store.find(id))?.inputFileId ?? "");

    start();

    await ends(id, { status: "failed", faults: [{ code: "file_not_found", param: "input_file_id" }] });
  });

  test("results that have no room stop a batch before its first line", async () => {
    const id = await createBatch(lineOf(1));
    let runs = 0;
    const run = async () => {
      runs += 1;
      return embedded();
    };
    vi.spyOn(store, "begin").mockResolvedValue("keyBytesMax");

    start({ run });

    await ends(id, { status: "failed", faults: [{ code: "file_quota_exceeded", line: null }] });
    expect(runs).toBe(0);
  });

  test("a full disk delays lines, and nothing runs meanwhile", async () => {
    const id = await createBatch(lineOf(1));
    let runs = 0;
    const run = async () => {
      runs += 1;
      return embedded();
    };
    const delays = vi.spyOn(store.parts, "putBack");
    isFull = true;

    start({ run });
    await expect.poll(() => delays.mock.calls.length).toBeGreaterThan(0);
    expect(delays.mock.calls[0]?.slice(1)).toEqual(["holder", now + 5000]);
    expect(runs).toBe(0);

    isFull = false;
    now += 5000;
    await ends(id, { status: "completed" });
    expect(runs).toBe(1);
  });

  test("a batch whose time is over ends with what it has", async () => {
    const id = await createBatch(lineOf(1) + lineOf(2));
    start({
      run: async (request) => {
        const error = new GatewayError("rate_limit_exceeded", "Later.", { retryAfterMs: 60_000 });
        request.runsAgain?.(error);
        return { ...embedded(), status: 429, error };
      },
    });
    await ends(id, { status: "in_progress" });

    now += 24 * hourMs;
    vi.advanceTimersByTime(10_000);

    await ends(id, { status: "expired", counts: { total: 2, completed: 0, failed: 2 } });
    const errors = await contentOf((await store.find(id))?.errorFileId);
    expect(JSON.parse(errors.split("\n")[0] ?? "")).toMatchObject({ error: { code: "batch_expired" } });
  });

  test("a part that is claimed after the time of its batch does not run", async () => {
    const id = await createBatch(lineOf(1));
    const begin = store.begin.bind(store);
    vi.spyOn(store, "begin").mockImplementation(async (...found) => {
      const exceeded = await begin(...found);
      now += 24 * hourMs;
      return exceeded;
    });

    start({ run: () => Promise.reject(new Error("It ran.")) });

    await ends(id, { status: "expired" });
    expect(lines).toEqual([]);
  });

  test("a step that fails is tried again, and a batch whose step fails eight times has failed", async () => {
    const id = await createBatch(lineOf(1));
    const broken = { ...files.store, read: () => Promise.reject(new Error("broken")) };
    const delays = vi.spyOn(store.steps, "delay");

    start({ files: { ...files, store: broken, quotas: files.quotas } as unknown as FileService });
    for (let attempt = 1; attempt < 8; attempt += 1) {
      await expect.poll(() => delays.mock.calls.length).toBe(attempt);
      expect(delays.mock.calls[attempt - 1]).toEqual([id, "holder", now + 5000 * attempt]);
      expect(await store.find(id)).toMatchObject({ status: "validating" });
      now += 5000 * attempt;
      look();
    }

    await expect
      .poll(() => store.find(id))
      .toMatchObject({ outcome: "failed", faults: [{ code: "internal_error" }] });
    expect(lines.map(({ level, err }) => [level, err?.message])).toContainEqual([50, "broken"]);
  });

  test.each([
    ["checked", async () => undefined],
    ["written", (id: string) => store.stop(id, { outcome: "cancelled", now })],
  ])("a batch that cannot be %s without the end of the process has failed", async (_step, prepare) => {
    const id = await createBatch(lineOf(1));
    await prepare(id);
    for (let attempt = 1; attempt <= 32; attempt += 1) {
      expect(await store.steps.claim(`process ${attempt}`)).toMatchObject({ attempts: attempt });
      // The process dies.
      now += leaseMs;
      expect(await store.steps.recover()).toBe(1);
    }

    start();

    await ends(id, { status: "failed", faults: [{ code: "internal_error" }] });
    expect(ended).toBe(1);
  });

  test("a part that has brought processes down is given up after thirty-two attempts", async () => {
    const id = await createBatch(lineOf(1));
    start({ run: () => Promise.reject(new Error("broken")) });
    const isOver = async () => {
      now += leaseMs;
      look();
      return (await store.find(id))?.faults?.[0]?.code;
    };

    await expect.poll(isOver).toBe("internal_error");

    const broken = () => lines.filter(({ err }) => err?.message === "broken").length;
    await expect.poll(broken).toBe(32);
  });

  test("results that are larger than expected stop a batch once they exceed the quota of its key", async () => {
    const id = await createBatch(lineOf(1));
    const find = store.find.bind(store);
    const exceeded = vi.spyOn(store, "exceeded").mockResolvedValue("storeBytesMax");
    let overrun = 1.1;
    vi.spyOn(store, "find").mockImplementation(async (wanted) => {
      const batch = await find(wanted);
      return batch && { ...batch, plannedBytes: 1000, reservedBytes: 1000 * overrun };
    });
    start();
    await ends(id, { status: "completed" });
    expect(exceeded).not.toHaveBeenCalled();
    await runner?.close();

    overrun = 1.2;
    const larger = await createBatch(lineOf(1), { id: `batch_${"b".repeat(24)}` });
    start();
    await ends(larger, { status: "failed", faults: [{ code: "storage_full" }] });
  });

  test("while the database is down, a step that cannot go on is not logged as an error", async () => {
    const id = await createBatch(lineOf(1));
    const { find } = refusals;
    const down = new GatewayError("storage_unavailable", "It is down.");
    vi.spyOn(refusals, "find").mockRejectedValueOnce(down).mockImplementation(find.bind(refusals));

    start();
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines).toMatchObject([{ level: 20 }]);

    now += 5000;
    await ends(id, { status: "completed" });
  });
});
