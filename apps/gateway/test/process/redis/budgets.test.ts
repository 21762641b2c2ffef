import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BudgetKey, Budgets } from "../../../src/limits/budgets.js";
import { ResilientRedis } from "../../../src/storage/redis/redis.js";
import { RedisSpending } from "../../../src/storage/redis/spending.js";
import { FakeLedger } from "../../in-process/limits/fake-ledger.js";
import { startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeWithRedis } from "../../servers/redis-server.js";

const cents = (count: number) => count * 10_000_000;
const key: BudgetKey = { id: "key_1", budget: { usd: 1, per: "day" } };

describeWithRedis("budgets of several replicas", ({ host, port }) => {
  const url = `redis://${host}:${port}`;
  const clock = new EpochClock("2036-11-15T12:00:00Z");
  let prefix = "";
  let ledger = new FakeLedger();
  let closing: (() => unknown)[] = [];

  beforeEach(() => {
    prefix = `mg:test:${randomUUID()}:`;
    ledger = new FakeLedger();
  });
  afterEach(async () => {
    await Promise.all(closing.map((close) => close()));
    closing = [];
    await loseData();
  });

  async function openReplica(redisUrl = url): Promise<Budgets> {
    const redis = new Redis(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => 20,
    });
    redis.on("error", () => undefined);
    await once(redis, "ready");
    closing.push(() => redis.disconnect());
    const resilient = new ResilientRedis(redis, {
      timeoutMs: 10_000,
      pauseMs: 20,
      now: () => performance.now(),
      onUnavailable: () => undefined,
      onAvailable: () => undefined,
    });
    return new Budgets({
      now: clock.now,
      shared: new RedisSpending(resilient, { prefix, now: clock.now }),
      ...ledger.options,
    });
  }

  async function startProcess(ledgerNanos: number): Promise<ChildProcess> {
    const child = fork(
      new URL("./budgets-process.mjs", import.meta.url),
      [JSON.stringify({ url, prefix, key, ledgerNanos })],
      { stdio: "inherit" },
    );
    closing.push(() => child.kill("SIGKILL"));
    await once(child, "message");
    return child;
  }

  /** Deletes all keys of the test, like a restart of Redis without persistence. */
  async function loseData(): Promise<void> {
    const redis = new Redis(url);
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
    await redis.quit();
  }

  async function passedBy(child: ChildProcess, work: object): Promise<number> {
    child.send(work);
    const [message] = (await once(child, "message")) as [{ passed: number }];
    return message.passed;
  }

  const spend = async (budgets: Budgets, nanos: number) => (await budgets.reserve(key, nanos)).settle(nanos);
  const spentAsReported = async (budgets: Budgets) => {
    const failure = await Promise.resolve()
      .then(() => budgets.reserve(key, cents(100_000)))
      .then(
        () => undefined,
        (error: Error) => error,
      );
    return /Spent (\S+),/.exec(failure?.message ?? "")?.[1];
  };

  test("four processes share a budget of a dollar, 20 cents of it in the ledger: exactly 80 of 160 cents pass", async () => {
    const children = await Promise.all(Array.from({ length: 4 }, () => startProcess(cents(20))));

    const passed = await Promise.all(
      children.map((child) => passedBy(child, { requests: 40, estimate: cents(1), spent: cents(1) })),
    );

    expect(passed.reduce((sum, count) => sum + count)).toBe(80);
  });

  test("the reservations of a killed replica expire after 15 minutes", async () => {
    const [killed, other] = [await openReplica(), await openReplica()];

    await killed.reserve(key, cents(90));
    await expect(async () => other.reserve(key, cents(20))).rejects.toThrow("requests in flight");
    clock.advance(15 * 60_000);

    await other.reserve(key, cents(100));
  });

  test("spending during a Redis outage is reported once when Redis is back", async () => {
    const proxy = await startCutOffProxy({ host, port });
    closing.push(() => proxy.close());
    const [cutOff, other] = [await openReplica(proxy.url), await openReplica()];

    await spend(other, cents(10));
    await spend(cutOff, cents(5));
    const held = await cutOff.reserve(key, cents(7));
    proxy.kill();
    await spend(cutOff, cents(20));
    held.settle(cents(3));
    const duringOutage = await spentAsReported(cutOff);
    proxy.revive();
    await expect
      .poll(
        async () => {
          await Promise.all([spentAsReported(cutOff), spentAsReported(cutOff), spentAsReported(cutOff)]);
          return spentAsReported(other);
        },
        { timeout: 90_000 },
      )
      .toBe("$0.38");

    expect(duringOutage).toBe("$0.38");
  });

  test("a Redis that lost its data is seeded from the ledger", async () => {
    const budgets = await openReplica();

    await spend(budgets, cents(30));
    ledger.rows.push({ keyId: "key_1", at: clock.now(), nanos: cents(50) });
    await loseData();

    expect(await spentAsReported(budgets)).toBe("$0.50");
    expect(await spentAsReported(await openReplica())).toBe("$0.50");
  });

  test("without Redis data and without the ledger, each replica counts its own requests", async () => {
    const budgets = await openReplica();

    await spend(budgets, cents(30));
    ledger.state = "down";
    await loseData();

    expect(await spentAsReported(budgets)).toBe("$0.30");
    expect(ledger.failures).toEqual([new Error("The database is down.")]);
  });
});
