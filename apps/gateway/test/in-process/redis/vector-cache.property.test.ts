import { randomUUID } from "node:crypto";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { cacheKey } from "../../../src/embeddings/cache/input-cache.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeWithRedis } from "../../servers/redis-server.js";

interface Fixture {
  readonly upstream: FakeUpstream;
  readonly space: string;
  start(redisUrl: string): Promise<InProcessGateway>;
}

async function createFixture(): Promise<Fixture> {
  const upstream = await startFakeUpstream({ script: { always: { width: 16, order: "reversed" } } });
  // A separate vector space for each test: Redis is shared with everything else on the machine.
  const space = randomUUID();
  return {
    upstream,
    space,
    start: (redisUrl) =>
      startGateway(`
redisUrl: "${redisUrl}"
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, cache: { ttl: 60s }, targets: [{ upstream: fake, model: m, space: ${space} }] } }`),
  };
}

const embed = (gateway: InProcessGateway, input: string | string[]) =>
  gateway.sendJson("/v1/embeddings", { model: "m", input });
const polling = { timeout: 90_000 };
const requestCount = lengthByTier({ short: 600, full: 2000 });
const redisIsConnected = (gateway: InProcessGateway) => () =>
  gateway.logLines.some((line) => line.includes("Redis is connected."));

describeWithRedis("vectors in Redis", ({ host, port }) => {
  const url = `redis://${host}:${port}`;

  test("a vector embedded by one replica is a hit at another", async () => {
    const { upstream, start } = await createFixture();
    const [one, two] = await Promise.all([start(url), start(url)]);
    await expect.poll(redisIsConnected(one), polling).toBe(true);
    await expect.poll(redisIsConnected(two), polling).toBe(true);

    const first = await embed(one, ["a", "b"]);
    await expect
      .poll(async () => (await embed(two, ["a", "b"])).headers.get("x-gateway-cache"), polling)
      .toBe("hit");
    const mixed = await embed(two, ["c", "a", "c", "b"]);

    expect(first.headers.get("x-gateway-cache")).toBe("miss");
    expect(mixed.headers.get("x-gateway-cache")).toBe("partial");
    const { data } = (await mixed.json()) as { data: { embedding: number[] }[] };
    expect(data.map(({ embedding }) => embedding)).toEqual(
      ["c", "a", "c", "b"].map((text) => vectorOf(text, 16)),
    );
    expect(inputCounts(upstream, 200).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5);
    await Promise.all([one.stop(), two.stop(), upstream.close()]);
  });

  test("garbage in Redis is a miss", async () => {
    const { upstream, space, start } = await createFixture();
    const redis = new Redis(url);
    const key = (text: string) => `mg:vector:1:${cacheKey(text, { space, unitVectors: false, width: 16 })}`;
    await redis.set(key("text"), "not a vector", "PX", 60_000);
    await redis.set(
      key("short"),
      Buffer.concat([Buffer.from("31564d4700000000", "hex"), Buffer.alloc(8)]),
      "PX",
      60_000,
    );
    await redis.lpush(key("list"), "x");
    await redis.pexpire(key("list"), 60_000);
    const gateway = await start(url);
    await expect.poll(redisIsConnected(gateway), polling).toBe(true);

    const response = await embed(gateway, ["text", "short", "list"]);

    expect(response.headers.get("x-gateway-cache")).toBe("miss");
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    expect(data.map(({ embedding }) => embedding)).toEqual(
      ["text", "short", "list"].map((text) => vectorOf(text, 16)),
    );
    await Promise.all([gateway.stop(), upstream.close(), redis.quit()]);
  });

  test("no request fails while Redis is killed, revived and frozen", async () => {
    const { upstream, start } = await createFixture();
    const proxy = await startCutOffProxy({ host, port });
    const gateway = await start(proxy.url);
    await expect.poll(redisIsConnected(gateway), polling).toBe(true);
    const texts = Array.from({ length: requestCount }, (_, index) => `text ${index % (0.35 * requestCount)}`);

    let succeeded = 0;
    const failures: unknown[] = [];
    const next = texts.entries();
    const caller = async () => {
      for (const [index, text] of next) {
        if (index === 0.2 * requestCount) proxy.kill();
        if (index === 0.45 * requestCount) proxy.revive();
        if (index === 0.7 * requestCount) proxy.freeze();
        const response = await embed(gateway, text);
        const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
        if (
          response.status === 200 &&
          JSON.stringify(data[0].embedding) === JSON.stringify(vectorOf(text, 16))
        )
          succeeded += 1;
        else failures.push({ index, status: response.status, data });
      }
    };
    await Promise.all(Array.from({ length: 20 }, caller));

    expect(failures).toEqual([]);
    expect(succeeded).toBe(requestCount);
    await Promise.all([gateway.stop(), upstream.close(), proxy.close()]);
  });
});
