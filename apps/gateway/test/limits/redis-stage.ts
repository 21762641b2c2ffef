import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { ResilientRedis } from "../../src/storage/redis/redis.js";

/** A connection to a real Redis with a part of it to itself. */
export interface RedisStage {
  readonly insured: ResilientRedis;
  readonly prefix: string;
  /** Loses everything that was kept, as a Redis that is restarted without a disk. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export async function openRedisStage(url: string): Promise<RedisStage> {
  const redis = new Redis(url);
  await new Promise((resolve) => redis.once("ready", resolve));
  const failures: unknown[] = [];
  const insured = new ResilientRedis(redis, {
    timeoutMs: 10_000,
    restMs: 0,
    now: () => performance.now(),
    onAway: (failure) => failures.push(failure),
    onBack: () => undefined,
  });
  // A prefix of its own for each test: Redis is shared with everything else on the machine.
  const prefix = `mg:test:${randomUUID()}:`;
  const lose = async () => {
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
  };
  return {
    insured,
    prefix,
    lose,
    close: async () => {
      await lose();
      await redis.quit();
      if (failures.length > 0)
        throw new Error("Redis failed in the middle of a test.", { cause: failures[0] });
    },
  };
}
