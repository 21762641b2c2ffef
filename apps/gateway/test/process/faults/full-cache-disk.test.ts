import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenDiskCache, openDiskVectorCache } from "../../../src/storage/vectors/disk-vector-cache.js";
import { cachedEntry } from "../embeddings/cached-entry.mjs";
import { canMount, mountSmallDisk, reportUnmountable, type SmallDisk } from "./small-disk.js";

const mebibyte = 1024 * 1024;
const use = { ttlMs: 3_600_000, encoding: "base64" } as const;
const isMountable = canMount();
if (!isMountable) reportUnmountable("a vector cache on a full disk");

describe.skipIf(!isMountable)("a vector cache on a full disk", () => {
  let disk: SmallDisk;
  let cache: OpenDiskCache;
  let nowMs: number;
  let failures: unknown[];

  beforeEach(async () => {
    disk = mountSmallDisk(8 * mebibyte);
    nowMs = Date.now();
    failures = [];
    cache = await openDiskVectorCache({
      folder: `${disk.folder}/vector-cache`,
      bytesMax: 64 * mebibyte,
      removesOldFiles: true,
      // As if the free space had not been looked at yet.
      checkRoom: () => undefined,
      now: () => nowMs,
      onFailure: (failure) => failures.push(failure),
    });
  });
  afterEach(async () => {
    await cache.close();
    disk.remove();
  });

  const read = async (numbers: readonly number[]) => {
    const found = await cache.read(
      numbers.map((number) => cachedEntry(number).key),
      use,
    );
    return found.map((vector) => vector?.tokens);
  };
  /** After the pause that follows a failure. */
  const writeAgain = (number: number) => {
    nowMs += 10_000;
    cache.write([cachedEntry(number)], use.ttlMs);
  };

  test("vectors that find no room are misses, and are cached again when there is room", async () => {
    cache.write([cachedEntry(1)], use.ttlMs);
    await expect.poll(() => read([1])).toEqual([1]);
    disk.fill(0);

    await expect
      .poll(() => {
        writeAgain(2);
        return failures.length;
      })
      .toBeGreaterThan(0);
    for (const tokens of await read([1, 3])) expect([undefined, 1]).toContain(tokens);
    disk.free();

    await expect
      .poll(() => {
        writeAgain(4);
        return read([1, 4]);
      })
      .toEqual([1, 4]);
  });
});
