import { performance } from "node:perf_hooks";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { SharedCounters } from "../../limits/shared-limits.js";
import type { SharedSpending } from "../../limits/shared-spending.js";
import { RedisCounters } from "./counters.js";
import { ResilientRedis } from "./redis.js";
import { RedisSpending } from "./spending.js";

/** Longer than any pause of this process, so that its own work is not taken for a Redis that hangs. */
const timeoutMs = 250;
const restMs = 1000;

export interface SharedUsage {
  readonly counters: SharedCounters;
  readonly spending: SharedSpending;
  close(): void;
}

/** What replicas count together, in a Redis that whoever opened it also closes. */
export function openSharedUsage(redis: Redis, log: Logger): SharedUsage {
  const insured = new ResilientRedis(redis, {
    timeoutMs,
    restMs,
    now: () => performance.now(),
    onAway: (failure) =>
      log.warn({ err: failure }, "Redis does not count: limits and budgets hold for each replica by itself."),
    onBack: () => log.info("Redis counts again: limits and budgets hold for all replicas together."),
  });
  const counters = new RedisCounters(insured);
  return { counters, spending: new RedisSpending(insured), close: () => counters.close() };
}
