import { performance } from "node:perf_hooks";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { createTwoLevelCache, type VectorCache } from "../../embeddings/cache/vector-cache.js";
import { createMemoryVectorCache } from "./memory-vector-cache.js";
import { createRedisVectorCache } from "./redis-vector-cache.js";

/** What Redis gives is kept in memory this long, so that a vector dropped there is soon dropped here. */
const nearTtlMsMax = 10 * 60_000;
const readTimeoutMs = 100;
const restMs = 1000;

export interface VectorCacheNeeds {
  /** How much memory the vectors may take. */
  readonly bytesMax: number;
  readonly redis: Redis | undefined;
  readonly log: Logger;
}

/** Vectors in memory, and in Redis as well where there is one. */
export function openVectorCache({ bytesMax, redis, log }: VectorCacheNeeds): VectorCache {
  const memory = createMemoryVectorCache(bytesMax);
  if (redis === undefined) return memory;
  const shared = createRedisVectorCache(redis, {
    readTimeoutMs,
    restMs,
    now: () => performance.now(),
    onFailure: (failure) => log.warn({ err: failure }, "The cache in Redis failed; it counts as a miss."),
  });
  return createTwoLevelCache(memory, shared, nearTtlMsMax);
}
