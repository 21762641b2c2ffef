import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import { createTwoLevelCache } from "../embeddings/two-level-cache.js";
import type { VectorCache } from "../embeddings/vector-cache.js";
import { createMemoryVectorCache } from "./memory-vector-cache.js";
import { openRedis } from "./open-redis.js";
import { createRedisVectorCache } from "./redis-vector-cache.js";

/** What Redis gives is kept in memory this long, so that a vector dropped there is soon dropped here. */
const nearTtlMsMax = 10 * 60_000;
const readTimeoutMs = 100;
const restMs = 1000;

export interface OpenVectorCache extends VectorCache {
  close(): Promise<void>;
}

/** Vectors in memory, and in Redis as well where the configuration names one. */
export function openVectorCache({ config, log }: { config: Config; log: Logger }): OpenVectorCache {
  const memory = createMemoryVectorCache(config.limits.cacheBytesMax);
  if (config.redisUrl === undefined) return { ...memory, close: async () => undefined };
  const redis = openRedis(config.redisUrl, log);
  const shared = createRedisVectorCache(redis, {
    readTimeoutMs,
    restMs,
    now: () => performance.now(),
    onFailure: (failure) => log.warn({ err: failure }, "The cache in Redis failed; it counts as a miss."),
  });
  return { ...createTwoLevelCache(memory, shared, nearTtlMsMax), close: async () => redis.disconnect() };
}
