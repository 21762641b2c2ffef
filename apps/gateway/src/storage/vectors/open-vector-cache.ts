import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Config } from "@model-gateway/config/config";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { createTwoLevelCache, type VectorCache } from "../../embeddings/cache/vector-cache.js";
import type { DiskSpace } from "../disk-space.js";
import { type OpenDiskCache, openDiskVectorCache } from "./disk-vector-cache.js";
import { createMemoryVectorCache } from "./memory-vector-cache.js";
import { createRedisVectorCache } from "./redis-vector-cache.js";

/** Vectors from a lower level stay in memory no longer than this, so that a vector deleted there is soon gone here. */
const memoryTtlMsMax = 10 * 60_000;
/** The same for vectors of the disk in Redis. */
const redisTtlMsMax = 60 * 60_000;
const readTimeoutMs = 100;
const pauseMs = 1000;

interface VectorCacheOptions {
  readonly config: Pick<Config, "limits" | "cache" | "dataDir">;
  readonly redis: Redis | undefined;
  readonly disk: Pick<DiskSpace, "checkRoom">;
  /** Which of the workers this is, counted from 1. */
  readonly worker: number;
  readonly log: Logger;
}

interface OpenVectorCache extends VectorCache {
  close(): Promise<void>;
}

/** Caches vectors in memory, and in Redis and on disk if configured. */
export async function openVectorCache(options: VectorCacheOptions): Promise<OpenVectorCache> {
  const { config, redis } = options;
  const memory = createMemoryVectorCache(config.limits.cacheBytesMax);
  const shared = redis && openRedisCache(redis, options.log);
  const disk = config.cache.disk && (await openDiskCache(config.cache.disk.bytesMax, options));
  const below = shared && disk ? createTwoLevelCache(shared, disk, redisTtlMsMax) : (shared ?? disk);
  const cache = below === undefined ? memory : createTwoLevelCache(memory, below, memoryTtlMsMax);
  return { ...cache, close: async () => disk?.close() };
}

function openRedisCache(redis: Redis, log: Logger): VectorCache {
  return createRedisVectorCache(redis, {
    readTimeoutMs,
    pauseMs,
    now: () => performance.now(),
    onFailure: (failure) =>
      log.warn({ err: failure }, "The vector cache in Redis failed; its inputs count as misses."),
  });
}

function openDiskCache(
  bytesMax: number,
  { config, disk, worker, log }: VectorCacheOptions,
): Promise<OpenDiskCache> {
  return openDiskVectorCache({
    folder: join(config.dataDir, "vector-cache"),
    bytesMax,
    removesOldFiles: worker === 1,
    checkRoom: (bytes) => disk.checkRoom(bytes),
    now: Date.now,
    onFailure: (failure) =>
      log.warn({ err: failure }, "The vector cache on disk failed; its inputs count as misses."),
  });
}
