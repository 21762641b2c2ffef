import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFull } from "@model-gateway/domain/errors";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import { openDiskResponseStore } from "./disk-response-store.js";
import { lostResponsesMax, writeEntry } from "./stored-entry.js";

const dayMs = 24 * 60 * 60_000;
const idOf = (number: number) => number.toString(16).padStart(64, "0");
const entryOf = (image: string): StoredEntry => ({
  fingerprint: "cat",
  response: { images: { created: 1, data: [{ b64_json: Buffer.from(image) }] }, credentials: "none" },
});
const sizeOf = (entry: StoredEntry) => Buffer.concat(writeEntry(entry)).length;

let dataDir: string;
let folder: string;
let nowMs: number;
let failures: unknown[];
const opened: ResponseStore[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "responses-"));
  folder = join(dataDir, "responses");
  nowMs = 1_787_150_086_123;
  failures = [];
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  rmSync(dataDir, { recursive: true });
});

async function openStore(bytesMax = 1_000_000): Promise<ResponseStore> {
  const onFailure = (failure: unknown) => failures.push(failure);
  const store = await openDiskResponseStore({ dataDir, bytesMax, now: () => nowMs, onFailure });
  opened.push(store);
  return store;
}

const storedBytes = () =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

test("a written response is read again, and only its owner may read the file", async () => {
  const store = await openStore();

  await store.write(idOf(1), entryOf("AAAA"));

  expect(await store.read(idOf(1))).toEqual(entryOf("AAAA"));
  expect(await store.read(idOf(2))).toBeUndefined();
  expect(readdirSync(folder)).toEqual([`${idOf(1)}.json`]);
  expect(statSync(join(folder, `${idOf(1)}.json`)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a sweep leaves unknown files alone", async () => {
  const store = await openStore();
  await store.write(idOf(1), entryOf("AAAA"));
  nowMs += dayMs / 2;
  await store.write(idOf(2), entryOf("BBBB"));
  writeFileSync(join(folder, "notes.txt"), "not ours");
  nowMs += dayMs / 2;

  await store.sweep();

  expect(readdirSync(folder).sort()).toEqual([`${idOf(2)}.json`, "notes.txt"]);
});

test("it sweeps periodically, and its timer does not keep the process alive", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  // Not a spy: when spies are restored, this one would put the fake timer back.
  const timers: NodeJS.Timeout[] = [];
  const { setInterval: begin } = globalThis;
  globalThis.setInterval = ((...given: Parameters<typeof begin>) => {
    const timer = begin(...given);
    timers.push(timer);
    return timer;
  }) as typeof begin;
  const store = await openStore();
  await store.write(idOf(1), entryOf("AAAA"));
  nowMs += dayMs;

  vi.advanceTimersByTime(10 * 60_000);
  await store.close();

  expect(readdirSync(folder)).toEqual([]);
  expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  expect(vi.getTimerCount()).toBe(0);
  globalThis.setInterval = begin;
  vi.useRealTimers();
});

test("a failed periodic sweep is reported", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const store = await openStore();
  rmSync(folder, { recursive: true });

  vi.advanceTimersByTime(10 * 60_000);
  await store.close();

  expect(failures).toEqual([expect.objectContaining({ code: "ENOENT" })]);
  vi.useRealTimers();
});

test("drafts left by a crash are removed when the folder is opened", async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, `${idOf(1)}.00000000-0000-4000-8000-000000000000.tmp`), "half a resp");
  writeFileSync(join(folder, "photo.tmp"), "not ours");

  await openStore();

  expect(readdirSync(folder)).toEqual(["photo.tmp"]);
});

test("an intact response that replaces a damaged one during a read stays", async () => {
  const store = await openStore();
  writeFileSync(join(folder, `${idOf(1)}.json`), "{");
  nowMs = Date.now();

  await Promise.all([store.read(idOf(1)), store.write(idOf(1), entryOf("AAAA"))]);

  expect(await store.read(idOf(1))).toEqual(entryOf("AAAA"));
});

test("a lower limit after a restart removes the oldest", async () => {
  const size = sizeOf(entryOf("AAAA"));
  const store = await openStore(3 * size);
  for (const number of [3, 1, 2]) {
    nowMs += 1;
    await store.write(idOf(number), entryOf("AAAA"));
  }

  const restarted = await openStore(3 * size);
  nowMs += 1;
  await restarted.write(idOf(4), entryOf("AAAA"));
  await openStore(size);

  expect(readdirSync(folder)).toEqual([1, 2, 3, 4].map((n) => `${idOf(n)}.${n === 4 ? "json" : "unknown"}`));
});

test("a full disk takes no lock, and still names the loss", async () => {
  const checkRoom = () => {
    throw diskFull();
  };
  await (await openStore()).lock(idOf(1), "cat");
  const options = { dataDir, bytesMax: 1_000_000, now: () => nowMs, onFailure: () => undefined };
  const full = await openDiskResponseStore({ ...options, disk: { checkRoom } });
  opened.push(full);

  expect(await full.lock(idOf(1), "cat")).toEqual({ kind: "lost" });
  await expect(full.lock(idOf(2), "cat")).rejects.toMatchObject({ code: "storage_full" });
  expect(readdirSync(folder)).toEqual([`${idOf(1)}.unknown`]);
});

test("markers beyond the limit are removed, the oldest of the caller with most of them", async () => {
  const store = await openStore();
  const modest = `${"f".repeat(64)}.unknown`;
  writeFileSync(join(folder, modest), "");
  for (let number = 0; number < lostResponsesMax; number += 1)
    writeFileSync(join(folder, `${idOf(number)}.unknown`), "");
  nowMs = Date.now() + 1000;
  await store.lock(idOf(lostResponsesMax), "cat");
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(folder, modest), anHourAgo - 2, anHourAgo - 2);
  utimesSync(join(folder, `${idOf(7)}.unknown`), anHourAgo - 1, anHourAgo - 1);
  utimesSync(join(folder, `${idOf(8)}.unknown`), anHourAgo, anHourAgo);

  await store.sweep();

  const kept = readdirSync(folder);
  expect(kept).toHaveLength(lostResponsesMax);
  expect([7, 8].filter((number) => kept.includes(`${idOf(number)}.unknown`))).toEqual([]);
  expect(kept).toContain(modest);
});

test("a failed write rejects, leaves nothing behind and uses no capacity", async () => {
  const size = sizeOf(entryOf("AAAA"));
  const store = await openStore(size);
  mkdirSync(join(folder, `${idOf(1)}.json`));

  await expect(store.write(idOf(1), entryOf("AAAA"))).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([`${idOf(1)}.json`]);
  await store.write(idOf(2), entryOf("AAAA"));

  await store.sweep();

  expect(await store.read(idOf(2))).toEqual(entryOf("AAAA"));
});

test("concurrent writes stay within the limit and lose nothing that fits", async () => {
  const step = fc.record({ number: fc.nat({ max: 9 }), length: fc.nat({ max: 400 }), sweeps: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      rmSync(folder, { recursive: true, force: true });
      const bytesMax = 1000;
      const store = await openStore(bytesMax);

      await Promise.all(
        steps.flatMap(({ number, length, sweeps }) => {
          const written = store.write(idOf(number), entryOf("A".repeat(length)));
          return sweeps ? [written, store.sweep()] : [written, store.read(idOf(number))];
        }),
      );
      expect(storedBytes()).toBeLessThanOrEqual(bytesMax);
      // If the count were one byte too high, this write would evict another response.
      const before = readdirSync(folder);
      const room = bytesMax - storedBytes() - sizeOf(entryOf(""));
      if (room >= 0) await store.write(idOf(99), entryOf("A".repeat(room)));

      expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
      if (room >= 0) expect(storedBytes()).toBe(bytesMax);
      expect(failures).toEqual([]);
    }),
    { numRuns: 30, seed: 20261116 },
  );
});
