/** A replica that has nothing but a budget. It is told how much to spend how often, and says how often it could. */
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { openBudgets } from "../../dist/modules/limits/budgets.js";
import { InsuredRedis } from "../../dist/modules/storage/redis/redis.js";
import { RedisSpending } from "../../dist/modules/storage/redis/spending.js";

const { url, prefix, key, ledgerNanos } = JSON.parse(process.argv[2]);
const redis = new Redis(url);
const insured = new InsuredRedis(redis, {
  timeoutMs: 10_000,
  restMs: 0,
  now: () => performance.now(),
  onAway: (failure) => process.send({ failure: String(failure) }),
  onBack: () => undefined,
});
const budgets = openBudgets({
  now: Date.now,
  spentSince: async () => ledgerNanos,
  untilShipped: async () => undefined,
  onLedgerAway: (failure) => process.send({ failure: String(failure) }),
  shared: new RedisSpending(insured, { prefix }),
});

process.on("message", async ({ requests, estimate, spent }) => {
  const tries = Array.from({ length: requests }, async () => {
    const reservation = await budgets.reserve(key, estimate);
    reservation.settle(spent);
  });
  const results = await Promise.allSettled(tries);
  process.send({ passed: results.filter(({ status }) => status === "fulfilled").length });
});
redis.once("ready", () => process.send({ ready: true }));
