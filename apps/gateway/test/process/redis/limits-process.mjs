/** A replica that has limits and nothing else. It receives a number of requests, and replies how many were admitted. */
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { openLimits } from "../../../dist/modules/limits/shared-limits.js";
import { RedisCounters } from "../../../dist/modules/storage/redis/counters.js";
import { ResilientRedis } from "../../../dist/modules/storage/redis/redis.js";

const { url, prefix, subjects } = JSON.parse(process.argv[2]);
const redis = new Redis(url);
const resilient = new ResilientRedis(redis, {
  timeoutMs: 10_000,
  pauseMs: 0,
  now: () => performance.now(),
  onUnavailable: (failure) => process.send({ failure: String(failure) }),
  onAvailable: () => undefined,
});
const limits = openLimits({ now: Date.now, shared: new RedisCounters(resilient, { prefix }) });

process.on("message", async ({ requests, tokens }) => {
  const attempts = Array.from({ length: requests }, async () =>
    limits.admit(subjects, { tokens, images: 0 }),
  );
  const results = await Promise.allSettled(attempts);
  process.send({ passed: results.filter(({ status }) => status === "fulfilled").length });
});
redis.once("ready", () => process.send({ ready: true }));
