/** A replica that has nothing but limits. It is told how many requests to let in, and says how many it did. */
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { openLimits } from "../../dist/modules/limits/limits.js";
import { RedisCounters } from "../../dist/modules/storage/redis/counters.js";
import { InsuredRedis } from "../../dist/modules/storage/redis/redis.js";

const { url, prefix, leaseMs, subjects } = JSON.parse(process.argv[2]);
const redis = new Redis(url);
const insured = new InsuredRedis(redis, {
  timeoutMs: 10_000,
  restMs: 0,
  now: () => performance.now(),
  onAway: (failure) => process.send({ failure: String(failure) }),
  onBack: () => undefined,
});
const limits = openLimits({ now: Date.now, shared: new RedisCounters(insured, { prefix, leaseMs }) });

process.on("message", async ({ requests, tokens }) => {
  const tries = Array.from({ length: requests }, async () => limits.admit(subjects, { tokens, images: 0 }));
  const results = await Promise.allSettled(tries);
  process.send({ passed: results.filter(({ status }) => status === "fulfilled").length });
});
redis.once("ready", () => process.send({ ready: true }));
