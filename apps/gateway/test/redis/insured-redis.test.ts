import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { ResilientRedis } from "../../src/storage/redis/redis.js";
import { describeWithRedis } from "./redis-server.js";

describeWithRedis("a Redis that may be away", (server) => {
  test("is not taken for one that hangs when this process was busy itself", async () => {
    const redis = new Redis(server);
    await once(redis, "ready");
    const failures: unknown[] = [];
    const insured = new ResilientRedis(redis, {
      timeoutMs: 50,
      restMs: 1000,
      now: () => performance.now(),
      onAway: (failure) => failures.push(failure),
      onBack: () => undefined,
    });

    const asked = insured.ask((client) => client.ping());
    const busyUntil = performance.now() + 200;
    while (performance.now() < busyUntil);

    expect(await asked).toBe("PONG");
    expect(failures).toEqual([]);
    redis.disconnect();
  });
});
