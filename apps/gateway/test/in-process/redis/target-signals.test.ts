import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel, EmbeddingTarget, Target, Upstream } from "@model-gateway/domain/model";
import { BatchTooLargeError } from "@model-gateway/domain/requests";
import type { Demand } from "@model-gateway/scheduling/capacity";
import { Scheduler } from "@model-gateway/scheduling/scheduler";
import { TargetSignals } from "@model-gateway/scheduling/target-signals";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LearnedLimits } from "../../../src/embeddings/coalescing/batches.js";
import { SharedBatchLimits } from "../../../src/embeddings/coalescing/shared-batch-limits.js";
import { ResilientRedis } from "../../../src/storage/redis/redis.js";
import { RedisSignalStore } from "../../../src/storage/redis/signal-store.js";
import { startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeWithRedis } from "../../servers/redis-server.js";

const demand: Demand = { tokens: 1, priorityClass: "interactive" };

const target: EmbeddingTarget = {
  upstream: "openai",
  model: "small",
  weight: 1,
  tier: 1,
  capacity: {},
  maxInputs: 2048,
  maxTokensPerRequest: Number.POSITIVE_INFINITY,
  maxCharactersPerRequest: Number.POSITIVE_INFINITY,
  takesUser: true,
  normalizes: false,
  dimensions: "pass",
};
const upstream: Upstream = {
  name: "openai",
  provider: "openai",
  baseUrl: "https://user:password@api.example/v1",
  hasKey: true,
  allowPrivateUrls: false,
  settings: {},
};
const polling = { timeout: 90_000 };

describeWithRedis("signals of targets", ({ host, port }) => {
  const url = `redis://${host}:${port}`;
  let key = "";
  let closing: (() => unknown)[] = [];

  beforeEach(() => {
    key = `mg:test:${randomUUID()}`;
  });
  afterEach(async () => {
    await Promise.all(closing.map((close) => close()));
    closing = [];
    const redis = new Redis(url);
    await redis.del(key);
    await redis.quit();
  });

  interface ReplicaOptions {
    readonly redisUrl?: string;
    readonly upstream?: Upstream;
    readonly signalsMax?: number;
    readonly targets?: readonly Target[];
    readonly timeoutMs?: number;
  }

  async function openReplica(options: ReplicaOptions = {}) {
    const redis = new Redis(options.redisUrl ?? url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => 20,
    });
    redis.on("error", () => undefined);
    await once(redis, "ready");
    closing.push(() => redis.disconnect());
    const resilient = new ResilientRedis(redis, {
      timeoutMs: options.timeoutMs ?? 30_000,
      pauseMs: 20,
      now: () => performance.now(),
      onUnavailable: () => undefined,
      onAvailable: () => undefined,
    });
    const clock = { now: () => performance.now(), wait: async () => undefined };
    const received: string[] = [];
    const signals = new TargetSignals({
      store: new RedisSignalStore(resilient, {
        key,
        ...(options.signalsMax === undefined ? {} : { signalsMax: options.signalsMax }),
      }),
      clock,
    });
    const used = options.upstream ?? upstream;
    signals.configure(options.targets ?? [target], new Map([[used.name, used]]));
    const scheduler = new Scheduler({ clock, random: () => 0.5, publish: signals.publish });
    const shared = new SharedBatchLimits(clock, signals.publish);
    const limits = new LearnedLimits(shared);
    const fail = (failure: GatewayError) =>
      scheduler.healthOf([target])[0]?.begin(demand).release({ failure });
    const model = { targets: [target] } as unknown as EmbeddingModel;
    const exchange = () =>
      signals.exchange((one, signal) => {
        received.push(signal.kind);
        scheduler.receive(one, signal);
        shared.receive(one, signal);
      });
    return {
      exchange,
      signals,
      received,
      health: () => scheduler.healthOf([target])[0]!,
      throttle: (retryAfterMs: number) =>
        fail(new GatewayError("rate_limit_exceeded", "Slow down.", { retryAfterMs })),
      failOften: () => {
        for (let call = 0; call < 5; call += 1) fail(new GatewayError("upstream_error", "It failed."));
      },
      learn: (maxInputs: number) => limits.learn(tooLarge(maxInputs), { inputs: 100, tokens: 100 }),
      limit: () => limits.of(model),
    };
  }

  function tooLarge(maxInputs: number): BatchTooLargeError {
    return new BatchTooLargeError("Too many inputs.", { maxInputs }, { target });
  }

  test("a pause that an upstream requested from one replica is kept by the other", async () => {
    const [one, other] = [await openReplica(), await openReplica()];

    one.throttle(30_000);
    await one.exchange();
    await other.exchange();

    expect(other.health().isHealthy).toBe(false);
    expect(other.health().cooldownMs).toBeGreaterThan(15_000);
    expect(other.health().cooldownMs).toBeLessThanOrEqual(30_000);
  });

  test("a batch limit that one replica has learned is known by the other, and by one that starts later", async () => {
    const [one, other] = [await openReplica(), await openReplica()];

    one.learn(16);
    await one.exchange();
    await other.exchange();
    const later = await openReplica();
    await later.exchange();

    for (const { limit } of [one, other, later])
      expect(limit()).toMatchObject({ maxInputs: 16, maxTokens: Number.POSITIVE_INFINITY });
  });

  test("a breaker that opened elsewhere is passed on once, and the target still gets calls", async () => {
    const [one, other] = [await openReplica(), await openReplica()];

    one.failOften();
    await one.exchange();
    for (let turn = 0; turn < 5; turn += 1) await other.exchange();
    await one.exchange();

    expect([one.health().isHealthy, other.health().isHealthy]).toEqual([false, true]);
    expect(other.received).toEqual(["opened"]);
    expect(one.received).toEqual([]);
  });

  test("gateways with another address, or another model, do not confuse each other; nothing secret is stored", async () => {
    const one = await openReplica();
    const elsewhere = await openReplica({ upstream: { ...upstream, baseUrl: "https://eu.api.example/v1" } });
    const account = await openReplica({
      targets: [{ ...target, upstream: "second" }],
      upstream: { ...upstream, name: "second" },
    });

    one.throttle(30_000);
    await one.exchange();
    await elsewhere.exchange();
    await account.exchange();

    expect([...elsewhere.received, ...account.received]).toEqual([]);
    const redis = new Redis(url);
    const stored = JSON.stringify(await redis.hgetall(key));
    await redis.quit();
    expect(stored).toContain("cooldown");
    expect(stored).not.toMatch(/password|api\.example|openai|small/);
  });

  test("garbage in the store is ignored and removed, and expired entries are forgotten", async () => {
    const one = await openReplica();
    one.throttle(30_000);
    await one.exchange();
    const redis = new Redis(url);
    const [field = ""] = await redis.hkeys(key);
    const id = field.split(":")[0];
    const soon = Date.now() + 60_000;
    await redis.hset(key, {
      junk: "junk",
      [`${id}:opened`]: "12 {}",
      [`${id}:other`]: `${soon} {"kind":"other"}`,
      [`${id}:text`]: `${soon} not JSON`,
      [`${id}:batch-limit`]: `${soon} {"kind":"batch-limit","maxInputs":-1,"maxTokens":null,"by":"x"}`,
    });

    const other = await openReplica();
    await other.exchange();

    expect(other.received).toEqual(["cooldown"]);
    expect(other.limit().maxInputs).toBe(2048);
    expect(await redis.hkeys(key)).not.toContain("junk");
    expect(await redis.hkeys(key)).not.toContain(`${id}:opened`);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    await redis.quit();
  });

  test("a full store takes no more signals, and replicas go on", async () => {
    const other = { ...target, model: "other" };
    const one = await openReplica({ signalsMax: 1, targets: [target, other] });

    one.signals.publish(target, { kind: "cooldown", ms: 30_000 });
    await one.exchange();
    one.signals.publish(other, { kind: "cooldown", ms: 30_000 });
    await one.exchange();

    const redis = new Redis(url);
    expect(await redis.hlen(key)).toBe(1);
    await redis.quit();
  });

  test("while Redis is killed or hangs, replicas go on alone; afterwards they catch up", async () => {
    const proxy = await startCutOffProxy({ host, port });
    closing.push(() => proxy.close());
    const [cutOff, other] = [
      await openReplica({ redisUrl: proxy.url, timeoutMs: 2000 }),
      await openReplica(),
    ];

    proxy.freeze();
    cutOff.throttle(50_000);
    const hanging = cutOff.exchange();
    // While one exchange hangs, the next returns at once, and the target is paused here all the same.
    await cutOff.exchange();
    expect(cutOff.health().isHealthy).toBe(false);
    await hanging;
    proxy.kill();
    cutOff.learn(8);
    await cutOff.exchange();
    proxy.revive();

    await expect
      .poll(async () => {
        await cutOff.exchange();
        await other.exchange();
        return other.received.sort();
      }, polling)
      .toEqual(["batch-limit", "cooldown"]);
    expect([other.health().isHealthy, other.limit().maxInputs]).toEqual([false, 8]);
  });
});
