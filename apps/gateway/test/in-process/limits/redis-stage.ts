import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { ResilientRedis } from "../../../src/storage/redis/redis.js";

/** A connection to a real Redis, with its own key prefix. */
export interface RedisStage {
  readonly resilient: ResilientRedis;
  readonly prefix: string;
  /** Deletes all keys of the stage, like a restart of Redis without persistence. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export async function openRedisStage(url: string): Promise<RedisStage> {
  const redis = new Redis(url);
  await new Promise((resolve) => redis.once("ready", resolve));
  const failures: unknown[] = [];
  const resilient = new ResilientRedis(redis, {
    timeoutMs: 10_000,
    pauseMs: 0,
    now: () => performance.now(),
    onUnavailable: (failure) => failures.push(failure),
    onAvailable: () => undefined,
  });
  // A unique prefix for each test, since Redis is shared.
  const prefix = `mg:test:${randomUUID()}:`;
  const lose = async () => {
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
  };
  return {
    resilient,
    prefix,
    lose,
    close: async () => {
      await lose();
      await redis.quit();
      if (failures.length > 0) throw new Error("Redis failed during a test.", { cause: failures[0] });
    },
  };
}
