import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDiskVectorCache } from "../../../src/storage/vectors/disk-vector-cache.js";
import { builtMain } from "../../gateway/fresh-build.js";
import { cachedEntry } from "./cached-entry.mjs";

const script = join(import.meta.dirname, "cache-writer.mjs");
const readAtOnce = 500;
let folder: string;

beforeEach(() => {
  // The writer runs on the build.
  builtMain();
  folder = mkdtempSync(join(tmpdir(), "cache-crashes-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Lets a process write, and kills it when it has handed this many vectors over. Returns how many it were in the end. */
async function writeAndKill(from: number, count: number): Promise<{ handedOver: number; errors: string }> {
  const child = spawn(process.execPath, [script, folder, String(from)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let handedOver = from;
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk: Buffer) => {
    handedOver = Math.max(handedOver, ...String(chunk).trim().split("\n").map(Number));
    if (handedOver - from >= count) child.kill("SIGKILL");
  });
  await once(child, "close");
  return { handedOver, errors };
}

/** Number of stored vectors. Every stored one must be right. */
async function countStored(limit: number): Promise<number> {
  const failures: unknown[] = [];
  const cache = await openDiskVectorCache({
    folder,
    bytesMax: 64 * 1024 * 1024,
    removesOldFiles: true,
    checkRoom: () => undefined,
    now: Date.now,
    onFailure: (failure) => failures.push(failure),
  });
  let stored = 0;
  const wrong: number[] = [];
  for (let from = 0; from < limit; from += readAtOnce) {
    const entries = Array.from({ length: readAtOnce }, (_, index) => cachedEntry(from + index));
    const found = await cache.read(
      entries.map(({ key }) => key),
      { ttlMs: 3_600_000, encoding: "base64" },
    );
    for (const [index, vector] of found.entries()) {
      if (vector === undefined) continue;
      stored += 1;
      const isRight = vector.tokens === from + index && isEqual(vector.floats, entries[index]?.floats);
      if (!isRight) wrong.push(from + index);
    }
  }
  await cache.close();
  expect({ failures, wrong }).toEqual({ failures: [], wrong: [] });
  return stored;
}

function isEqual(one: Float32Array, other: Float32Array | undefined): boolean {
  return other !== undefined && one.length === other.length && one.every((value, at) => value === other[at]);
}

test("a writer that is killed 20 times leaves a file with right vectors only", {
  timeout: 600_000,
}, async () => {
  const random = createRandom();
  let next = 0;
  let stored = 0;

  for (let round = 0; round < 20; round += 1) {
    const { handedOver, errors } = await writeAndKill(next, 20 + random.below(400));
    next = handedOver;
    const after = await countStored(next);
    expect(errors).toBe("");
    expect(after).toBeGreaterThanOrEqual(stored);
    stored = after;
  }

  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThanOrEqual(next);
});
