/** A replica that has a budget and nothing else. It receives a number of reservations, and replies how many passed. */
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { Budgets } from "../../../dist/modules/limits/budgets.js";
import { ResilientRedis } from "../../../dist/modules/storage/redis/redis.js";
import { RedisSpending } from "../../../dist/modules/storage/redis/spending.js";

const { url, prefix, key, ledgerNanos } = JSON.parse(process.argv[2]);
const redis = new Redis(url);
const resilient = new ResilientRedis(redis, {
  timeoutMs: 10_000,
  pauseMs: 0,
  now: () => performance.now(),
  onUnavailable: (failure) => process.send({ failure: String(failure) }),
  onAvailable: () => undefined,
});
const budgets = new Budgets({
  now: Date.now,
  spentSince: async () => ledgerNanos,
  spentByKey: async () => new Map(),
  untilShipped: async () => undefined,
  onLedgerUnavailable: (failure) => process.send({ failure: String(failure) }),
  shared: new RedisSpending(resilient, { prefix }),
});

process.on("message", async ({ requests, estimate, spent }) => {
  const attempts = Array.from({ length: requests }, async () => {
    const reservation = await budgets.reserve(key, estimate);
    reservation.settle(spent);
  });
  const results = await Promise.allSettled(attempts);
  process.send({ passed: results.filter(({ status }) => status === "fulfilled").length });
});
redis.once("ready", () => process.send({ ready: true }));
