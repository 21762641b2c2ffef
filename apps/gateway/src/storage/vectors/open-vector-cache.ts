import { performance } from "node:perf_hooks";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { createTwoLevelCache, type VectorCache } from "../../embeddings/cache/vector-cache.js";
import { createMemoryVectorCache } from "./memory-vector-cache.js";
import { createRedisVectorCache } from "./redis-vector-cache.js";

/** Vectors from Redis stay in memory no longer than this, so that a vector deleted there is soon gone here too. */
const nearTtlMsMax = 10 * 60_000;
const readTimeoutMs = 100;
const pauseMs = 1000;

export interface VectorCacheOptions {
  /** Limit for the vectors in memory. */
  readonly bytesMax: number;
  readonly redis: Redis | undefined;
  readonly log: Logger;
}

/** Caches vectors in memory, and in Redis too if it is configured. */
export function openVectorCache({ bytesMax, redis, log }: VectorCacheOptions): VectorCache {
  const memory = createMemoryVectorCache(bytesMax);
  if (redis === undefined) return memory;
  const shared = createRedisVectorCache(redis, {
    readTimeoutMs,
    pauseMs,
    now: () => performance.now(),
    onFailure: (failure) =>
      log.warn({ err: failure }, "The vector cache in Redis failed; its inputs count as misses."),
  });
  return createTwoLevelCache(memory, shared, nearTtlMsMax);
}
