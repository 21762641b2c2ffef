/** A process that fills the cache on disk, or looks vectors up in it, as the benchmark asks. */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import {
  type CacheJob,
  type FillReport,
  inputsPerLookup,
  keyOf,
  type LookupFigures,
  type ReadReport,
  vectorOf,
} from "./cache-job.js";

/** The part of the built gateway's cache that is used here. */
interface DiskCache {
  read(keys: readonly string[], use: object): Promise<readonly ({ floats: Float32Array } | undefined)[]>;
  write(entries: readonly { key: string; floats: Float32Array; tokens: number }[], ttlMs: number): void;
  close(): Promise<void>;
}

const writtenAtOnce = 500;
const lookups = 500;
const ttlMs = 365 * 86_400_000;
const use = { ttlMs, encoding: "base64" };

process.once("message", async (job: CacheJob) => {
  process.send?.(job.task === "fill" ? await fill(job) : await read(job));
  process.disconnect();
});
process.send?.("ready");

async function fill({ folder, vectors }: CacheJob): Promise<FillReport> {
  const cache = await open(folder);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  for (let from = 0; from < vectors; from += writtenAtOnce) {
    const count = Math.min(writtenAtOnce, vectors - from);
    cache.write(
      Array.from({ length: count }, (_, index) => ({
        key: keyOf(from + index),
        floats: vectorOf(from + index),
        tokens: 1,
      })),
      ttlMs,
    );
    // The queue is bounded: a batch that does not fit would not be cached.
    while ((await cache.read([keyOf(from + count - 1)], use))[0] === undefined) await setTimeout(2);
  }
  await cache.close();
  const { user, system } = process.cpuUsage(cpu);
  return { elapsedMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

async function read({ folder, vectors }: CacheJob): Promise<ReadReport> {
  const ownBytes = bytesRead();
  const startedAt = performance.now();
  const cache = await open(folder);
  const openMs = performance.now() - startedAt;
  const openedBytes = bytesRead();
  const start = process.memoryUsage.rss();
  const random = createRandom();
  const some = (first: number) => () =>
    Array.from({ length: inputsPerLookup }, () => first + random(vectors));
  const hits = await measure(cache, some(0), vectors);
  const misses = await measure(cache, some(vectors), vectors);
  const single = await measure(cache, () => [random(vectors)], vectors);
  const end = process.memoryUsage.rss();
  await cache.close();
  return { openMs, openedBytes, ownBytes, hits, misses, single, residentBytes: { start, end } };
}

/** Every vector is compared with the one that was written. */
async function measure(cache: DiskCache, choose: () => number[], vectors: number): Promise<LookupFigures> {
  const times: number[] = [];
  let cpuMs = 0;
  for (let done = 0; done < lookups; done += 1) {
    const numbers = choose();
    const keys = numbers.map(keyOf);
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    const found = await cache.read(keys, use);
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpu);
    cpuMs += (user + system) / 1000;
    for (const [index, number] of numbers.entries()) {
      const floats = found[index]?.floats;
      const isRight = number >= vectors ? floats === undefined : floats && isEqual(floats, vectorOf(number));
      if (!isRight) throw new Error(`The lookup of vector ${number} returned something else.`);
    }
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), cpuMs: cpuMs / lookups };
}

async function open(folder: string): Promise<DiskCache> {
  const built = new URL("../../../dist/modules/storage/vectors/disk-vector-cache.js", import.meta.url);
  const { openDiskVectorCache } = await import(built.href);
  return openDiskVectorCache({
    folder,
    bytesMax: 1e12,
    removesOldFiles: true,
    checkRoom: () => undefined,
    now: Date.now,
    onFailure: (failure: unknown) => console.error(failure),
  });
}

function isEqual(one: Float32Array, other: Float32Array): boolean {
  return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Through system calls, whether from the disk or from the memory of the system. Only Linux tells it. */
function bytesRead(): number {
  try {
    return Number(/^rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The same numbers in every run. https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(): (below: number) => number {
  let state = 20261116;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
