import { performance } from "node:perf_hooks";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { SharedCounters } from "../../limits/shared-limits.js";
import type { SharedSpending } from "../../limits/shared-spending.js";
import { RedisCounters } from "./counters.js";
import { ResilientRedis } from "./redis.js";
import { RedisSpending } from "./spending.js";

/** Longer than any pause of this process, so that its own work does not look like a hanging Redis. */
const defaultTimeoutMs = 250;
const pauseMs = 1000;

interface SharedUsage {
  readonly counters: SharedCounters;
  readonly spending: SharedSpending;
  close(): void;
}

/** Counters that all replicas share. The caller closes Redis itself. */
export function openSharedUsage(
  redis: Redis,
  log: Logger,
  { timeoutMs = defaultTimeoutMs } = {},
): SharedUsage {
  const resilient = new ResilientRedis(redis, {
    timeoutMs,
    pauseMs,
    now: () => performance.now(),
    onUnavailable: (failure) =>
      log.warn(
        { err: failure },
        "Redis is unavailable: limits and budgets apply to each replica separately.",
      ),
    onAvailable: () =>
      log.info("Redis is available again: limits and budgets apply to all replicas together."),
  });
  const counters = new RedisCounters(resilient);
  return { counters, spending: new RedisSpending(resilient), close: () => counters.close() };
}
