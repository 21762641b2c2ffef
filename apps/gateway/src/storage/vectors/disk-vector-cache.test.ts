import { hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CacheEntry } from "../../embeddings/cache/vector-cache.js";
import { type OpenDiskCache, openDiskVectorCache } from "./disk-vector-cache.js";

const mebibyte = 1024 * 1024;
const ttlMs = 60 * 60_000;
const width = 1536;
const use = { ttlMs, encoding: "base64" } as const;

let folder: string;
let nowMs: number;
let failures: unknown[];
let hasRoom: boolean;
const opened: OpenDiskCache[] = [];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "vectors-")), "vector-cache");
  nowMs = Date.now();
  failures = [];
  hasRoom = true;
});

afterEach(async () => {
  await closeAll();
  rmSync(join(folder, ".."), { recursive: true });
});

async function open(bytesMax = 64 * mebibyte): Promise<OpenDiskCache> {
  const cache = await openDiskVectorCache({
    folder,
    bytesMax,
    removesOldFiles: true,
    checkRoom: () => {
      if (!hasRoom) throw new Error("The disk is full.");
    },
    now: () => nowMs,
    onFailure: (failure) => failures.push(failure),
  });
  opened.push(cache);
  return cache;
}

const closeAll = () => Promise.all(opened.splice(0).map((cache) => cache.close()));
const keyOf = (number: number) => hash("sha256", String(number), "base64url");
const entryOf = (number: number): CacheEntry => ({
  key: keyOf(number),
  floats: new Float32Array(width).fill(number + 0.5),
  tokens: number,
});
const entriesOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => entryOf(from + index));
const readNumbers = async (cache: OpenDiskCache, numbers: readonly number[]) => {
  const found = await cache.read(numbers.map(keyOf), use);
  return found.map((vector) => vector && { tokens: vector.tokens, first: vector.floats[0] });
};
/** The bytes of all files, including the write-ahead log. */
const folderBytes = () =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
const found = (number: number) => ({ tokens: number, first: number + 0.5 });

test("vectors are there again after a restart, each under its key", async () => {
  (await open()).write(entriesOf(0, 100), ttlMs);
  await closeAll();

  const [stored, missing, again] = await (await open()).read([7, 100, 7].map(keyOf), use);

  expect(stored).toEqual({ floats: entryOf(7).floats, tokens: 7 });
  expect(missing).toBeUndefined();
  expect(again).toEqual(stored);
  expect(failures).toEqual([]);
});

test("two workers share one file, and each sees the other's writes", async () => {
  const [one, other] = [await open(), await open()];

  for (const number of [1, 2, 3]) {
    one.write([entryOf(number)], ttlMs);
    await expect.poll(() => readNumbers(other, [number])).toEqual([found(number)]);
  }

  other.write([entryOf(4)], ttlMs);
  await expect.poll(() => readNumbers(one, [4])).toEqual([found(4)]);
});

test("a vector that is older than its model allows now is a miss", async () => {
  const cache = await open();
  cache.write([entryOf(1)], ttlMs);
  await expect.poll(() => readNumbers(cache, [1])).toEqual([found(1)]);

  nowMs += ttlMs + 1;

  expect(await readNumbers(cache, [1])).toEqual([undefined]);
});

test("a vector that is written again replaces the first", async () => {
  const cache = await open();
  cache.write([entryOf(1)], ttlMs);
  cache.write([{ ...entryOf(2), key: keyOf(1) }], ttlMs);

  await expect.poll(() => readNumbers(cache, [1])).toEqual([found(2)]);
});

test("the file stays below its limit, and the oldest vectors go first", async () => {
  const limit = 16 * mebibyte;
  for (let from = 0; from < 6000; from += 500) {
    nowMs += 1;
    (await open(limit)).write(entriesOf(from, 500), ttlMs);
    await closeAll();
  }

  const cache = await open(limit);
  await expect.poll(() => readNumbers(cache, [0, 5999])).toEqual([undefined, found(5999)]);
  expect(folderBytes()).toBeLessThanOrEqual(limit);
});

test.each([384, 1536])(
  "all files together stay below the limit, for vectors of %d numbers",
  async (numbers) => {
    const limit = 16 * mebibyte;
    const cache = await open(limit);
    const sizes: number[] = [];

    // Enough to fill the file more than once.
    const rows = Math.ceil((24 * mebibyte) / (numbers * 4 + 600));
    for (let from = 0; from < rows; from += 2000) {
      const count = Math.min(2000, rows - from);
      const floats = new Float32Array(numbers).fill(from);
      const entries = Array.from({ length: count }, (_, index) => ({
        key: keyOf(from + index),
        floats,
        tokens: from + index,
      }));
      cache.write(entries, ttlMs);
      const last = from + count - 1;
      let failed = failures.length;
      const readLast = async () => {
        const found = await readNumbers(cache, [last]);
        if (failures.length === failed) return found;
        // On a busy machine a read may take too long. The cache then pauses, and may not have written.
        failed = failures.length;
        nowMs += 60_000;
        cache.write(entries, ttlMs);
        return found;
      };
      await expect.poll(readLast).toMatchObject([{ tokens: last }]);
      sizes.push(folderBytes());
    }

    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    expect(failures.filter((failure) => !/did not reply/.test(String(failure)))).toEqual([]);
  },
);

test("expired vectors leave the file with the next writes", async () => {
  (await open()).write(entriesOf(0, 50), 1);
  await closeAll();
  (await open()).write(entriesOf(50, 50), ttlMs);
  await closeAll();

  // Read as if they had been valid for longer.
  const left = await (await open()).read([0, 50].map(keyOf), { ...use, ttlMs: 10 * ttlMs });

  expect(left.map((vector) => vector?.tokens)).toEqual([undefined, 50]);
});

test("nothing is written to a full disk", async () => {
  const cache = await open();
  cache.write([entryOf(1)], ttlMs);
  await expect.poll(() => readNumbers(cache, [1])).toEqual([found(1)]);
  hasRoom = false;

  cache.write([entryOf(2)], ttlMs);
  await closeAll();

  expect(await readNumbers(await open(), [1, 2])).toEqual([found(1), undefined]);
  expect(failures).toEqual([]);
});

test("a changed byte in a vector is a miss, and the next write repairs it", async () => {
  (await open()).write(entriesOf(0, 20), ttlMs);
  await closeAll();
  const file = join(folder, "0.sqlite");
  const bytes = readFileSync(file);
  const at = bytes.indexOf(Buffer.from(entryOf(7).floats.buffer));
  bytes.writeUInt8(bytes.readUInt8(at + 5) ^ 1, at + 5);
  writeFileSync(file, bytes);

  const cache = await open();
  await expect.poll(() => readNumbers(cache, [6, 7, 8])).toEqual([found(6), undefined, found(8)]);
  cache.write([entryOf(7)], ttlMs);
  await expect.poll(() => readNumbers(cache, [7])).toEqual([found(7)]);
});

test.each([
  ["no database", (bytes: Buffer) => Buffer.alloc(bytes.length, "x")],
  ["cut in half", (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))],
  ["empty", () => Buffer.alloc(0)],
  [
    "zero after the first page",
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192)]),
  ],
])("a file that is %s never gives a wrong vector, and is replaced", async (_name, change) => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  (await open()).write(entriesOf(0, 200), ttlMs);
  await closeAll();
  const file = join(folder, "0.sqlite");
  writeFileSync(file, change(readFileSync(file)));

  const cache = await open();
  for (const [index, vector] of (await readNumbers(cache, numbers)).entries())
    expect([undefined, found(index)]).toContainEqual(vector);

  await expect
    .poll(async () => {
      // The pause after a fault is over.
      nowMs += 10_000;
      cache.write(entriesOf(1000, 10), ttlMs);
      return readNumbers(cache, [1000, 1009]);
    })
    .toEqual([found(1000), found(1009)]);
});

test("a file that was replaced is removed at the next start", async () => {
  (await open()).write([entryOf(1)], ttlMs);
  await closeAll();
  writeFileSync(join(folder, "1.sqlite"), "");

  await open();
  await closeAll();

  expect(readdirSync(folder)).toEqual(["1.sqlite"]);
});

test("a folder that cannot be made is a miss", async () => {
  writeFileSync(folder, "a file");

  const cache = await open();
  cache.write([entryOf(1)], ttlMs);

  expect(await readNumbers(cache, [1])).toEqual([undefined]);
  expect(failures).toHaveLength(1);
});
