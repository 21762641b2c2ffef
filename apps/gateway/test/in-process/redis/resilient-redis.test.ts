import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { ResilientRedis } from "../../../src/storage/redis/redis.js";
import { describeWithRedis } from "../../servers/redis-server.js";

describeWithRedis("a Redis that may fail", (server) => {
  test("does not count as hanging while this process itself is busy", async () => {
    const redis = new Redis(server);
    await once(redis, "ready");
    const failures: unknown[] = [];
    const resilient = new ResilientRedis(redis, {
      timeoutMs: 50,
      pauseMs: 1000,
      now: () => performance.now(),
      onUnavailable: (failure) => failures.push(failure),
      onAvailable: () => undefined,
    });

    const reply = resilient.call((client) => client.ping());
    const busyUntil = performance.now() + 200;
    while (performance.now() < busyUntil);

    expect(await reply).toBe("PONG");
    expect(failures).toEqual([]);
    redis.disconnect();
  });
});
