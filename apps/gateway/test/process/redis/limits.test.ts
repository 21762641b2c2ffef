import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { UsageLimits } from "@model-gateway/domain/access-key";
import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LimitSubject, RateLimits } from "../../../src/limits/limits.js";
import { openLimits } from "../../../src/limits/shared-limits.js";
import { RedisCounters, type RedisCountersOptions } from "../../../src/storage/redis/counters.js";
import { openSharedUsage } from "../../../src/storage/redis/open-shared-usage.js";
import { openRedis, ResilientRedis } from "../../../src/storage/redis/redis.js";
import { createLog } from "../../../src/telemetry/log.js";
import { startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeWithRedis } from "../../servers/redis-server.js";

/** Lifetime of a lease that is not renewed. */
const leaseMs = 30_000;
const nothing = { tokens: 0, images: 0 };
const keyWith = (limits: UsageLimits): LimitSubject[] => [{ name: "key", id: "key_1", limits }];

interface Replica {
  readonly limits: RateLimits;
  readonly counters: RedisCounters;
  /** The reported changes of the Redis state. */
  readonly events: string[];
}

describeWithRedis("limits of several replicas", ({ host, port }) => {
  const url = `redis://${host}:${port}`;
  let prefix = "";
  let closing: (() => unknown)[] = [];

  beforeEach(() => {
    // A unique prefix for each test, since Redis is shared.
    prefix = `mg:test:${randomUUID()}:`;
  });
  afterEach(async () => {
    await Promise.all(closing.map((close) => close()));
    closing = [];
    const redis = new Redis(url);
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
    await redis.quit();
  });

  async function openReplica(
    options: RedisCountersOptions = {},
    { redisUrl = url, timeoutMs = 10_000 } = {},
  ): Promise<Replica> {
    const redis = new Redis(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => 20,
    });
    redis.on("error", () => undefined);
    await once(redis, "ready");
    const events: string[] = [];
    const resilient = new ResilientRedis(redis, {
      timeoutMs,
      pauseMs: 20,
      now: () => performance.now(),
      onUnavailable: () => events.push("unavailable"),
      onAvailable: () => events.push("back"),
    });
    const counters = new RedisCounters(resilient, { prefix, ...options });
    closing.push(() => {
      counters.close();
      redis.disconnect();
    });
    const now = options.now ?? (() => Date.now());
    return { counters, events, limits: openLimits({ now, shared: counters }) };
  }

  async function startProcess(subjects: LimitSubject[]): Promise<ChildProcess> {
    const child = fork(
      new URL("./limits-process.mjs", import.meta.url),
      [JSON.stringify({ url, prefix, subjects })],
      { stdio: "inherit" },
    );
    closing.push(() => child.kill("SIGKILL"));
    await once(child, "message");
    return child;
  }

  async function passedBy(child: ChildProcess, requests: number, tokens = 0): Promise<number> {
    child.send({ requests, tokens });
    const [message] = (await once(child, "message")) as [{ passed: number }];
    return message.passed;
  }

  test("four processes share 100 requests a minute: exactly 100 of 400 pass", async () => {
    const subjects = keyWith({ requestsPerMinute: 100, tokensPerDay: 1_000_000 });
    const children = await Promise.all(Array.from({ length: 4 }, () => startProcess(subjects)));

    const passed = await Promise.all(children.map((child) => passedBy(child, 100)));
    const afterwards = await Promise.all(children.map((child) => passedBy(child, 1)));

    expect(passed.reduce((sum, count) => sum + count)).toBe(100);
    expect(afterwards).toEqual([0, 0, 0, 0]);
  });

  test("four processes share 1,000 tokens a minute: as many requests pass as fit, and not one more", async () => {
    const subjects = keyWith({ tokensPerMinute: 1000, maxConcurrency: 1000 });
    const children = await Promise.all(Array.from({ length: 4 }, () => startProcess(subjects)));

    const passed = await Promise.all(children.map((child) => passedBy(child, 60, 7)));

    expect(passed.reduce((sum, count) => sum + count)).toBe(Math.floor(1000 / 7));
  });

  test("the leases of a killed replica expire", async () => {
    const subjects = keyWith({ maxConcurrency: 2 });
    const child = await startProcess(subjects);
    let laterMs = 0;
    const { limits } = await openReplica({ now: () => Date.now() + laterMs });

    const taken = await passedBy(child, 5);
    await expect(async () => limits.admit(subjects, nothing)).rejects.toThrow("concurrent requests");
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect(async () => limits.admit(subjects, nothing)).rejects.toThrow("concurrent requests");
    laterMs = leaseMs;

    expect(taken).toBe(2);
    expect(await isAdmitted(limits, subjects)).toBe(true);
  });

  test("a lease holds as long as its replica renews it", async () => {
    const clock = new EpochClock("2026-11-15T12:00:00Z");
    const subjects = keyWith({ maxConcurrency: 1 });
    const slow = await openReplica({ now: clock.now });
    const other = await openReplica({ now: clock.now });

    const admitted = await slow.limits.admit(subjects, nothing);
    const whileRenewed: boolean[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      clock.advance(20_000);
      slow.counters.renew();
      await flush(slow);
      whileRenewed.push(await isAdmitted(other.limits, subjects));
    }
    clock.advance(30_000);
    const afterwards = await isAdmitted(other.limits, subjects);
    admitted.release();

    expect(whileRenewed).toEqual(Array.from({ length: 10 }, () => false));
    expect(afterwards).toBe(true);
  });

  test("renewing does not revive a released lease", async () => {
    const subjects = keyWith({ maxConcurrency: 1 });
    const first = await openReplica();
    const second = await openReplica();

    const admitted = await first.limits.admit(subjects, nothing);
    admitted.release();
    first.counters.renew();
    await flush(first);

    expect(await isAdmitted(second.limits, subjects)).toBe(true);
  });

  test("during a Redis outage a replica counts on alone, and reports the outage and its end once", async () => {
    const proxy = await startCutOffProxy({ host, port });
    closing.push(() => proxy.close());
    const subjects = keyWith({ requestsPerMinute: 10 });
    const cutOff = await openReplica({}, { redisUrl: proxy.url });
    const other = await openReplica();

    for (let index = 0; index < 3; index += 1) await other.limits.admit(subjects, nothing);
    await cutOff.limits.admit(subjects, nothing);
    proxy.kill();
    const alone = await countPasses(cutOff.limits, subjects, 12);
    const eventsDuringOutage = [...cutOff.events];
    proxy.revive();
    await expect
      .poll(
        async () => {
          await isAdmitted(cutOff.limits, subjects);
          return cutOff.events;
        },
        { timeout: 90_000 },
      )
      .toEqual(["unavailable", "back"]);

    expect(alone).toBe(6);
    expect(eventsDuringOutage).toEqual(["unavailable"]);
    expect(await countPasses(other.limits, subjects, 12)).toBeLessThanOrEqual(6);
  });

  test("the log says once that Redis is unavailable, and once that it is available again", async () => {
    const proxy = await startCutOffProxy({ host, port });
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => void lines.push(line) }, new SecretFilter());
    const redis = await openRedis(proxy.url, log);
    await once(redis, "ready");
    // A busy machine must not look like a second outage.
    const usage = openSharedUsage(redis, log, { timeoutMs: 30_000 });
    const limits = openLimits({ now: Date.now, shared: usage.counters });
    closing.push(
      () => usage.close(),
      () => redis.disconnect(),
      () => proxy.close(),
    );
    const subjects: LimitSubject[] = [{ name: "key", id: randomUUID(), limits: { requestsPerMinute: 9 } }];
    const messages = () => lines.map((line) => JSON.parse(line).msg).filter((text) => /available/.test(text));

    await limits.admit(subjects, nothing);
    proxy.kill();
    for (let index = 0; index < 5; index += 1) await limits.admit(subjects, nothing);
    proxy.revive();

    await expect
      .poll(
        async () => {
          await isAdmitted(limits, subjects);
          return messages();
        },
        { timeout: 90_000 },
      )
      .toEqual([
        "Redis is unavailable: limits and budgets apply to each replica separately.",
        "Redis is available again: limits and budgets apply to all replicas together.",
      ]);
  });

  test("a Redis that hangs delays requests once, and fails none", async () => {
    const proxy = await startCutOffProxy({ host, port });
    closing.push(() => proxy.close());
    const subjects = keyWith({ requestsPerMinute: 1000, maxConcurrency: 1000 });
    const { limits, events } = await openReplica({}, { redisUrl: proxy.url, timeoutMs: 2000 });

    await limits.admit(subjects, nothing);
    proxy.freeze();
    const admitted = await Promise.all(
      Array.from({ length: 50 }, async () => limits.admit(subjects, nothing)),
    );
    for (const one of admitted) {
      one.settle(nothing);
      one.release();
    }

    expect(admitted).toHaveLength(50);
    expect(events).toEqual(["unavailable"]);
  });

  /** Waits until Redis has executed all earlier commands. */
  async function flush({ limits }: Replica): Promise<void> {
    await limits.admit([{ name: "model", id: randomUUID(), limits: { requestsPerDay: 1 } }], nothing);
  }
});

async function isAdmitted(limits: RateLimits, subjects: LimitSubject[]): Promise<boolean> {
  try {
    await limits.admit(subjects, nothing);
    return true;
  } catch {
    return false;
  }
}

async function countPasses(limits: RateLimits, subjects: LimitSubject[], requests: number): Promise<number> {
  let passed = 0;
  for (let index = 0; index < requests; index += 1) if (await isAdmitted(limits, subjects)) passed += 1;
  return passed;
}
