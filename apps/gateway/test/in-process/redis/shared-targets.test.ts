import { randomUUID } from "node:crypto";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeWithRedis } from "../../servers/redis-server.js";

const polling = { timeout: 90_000 };
const texts = (count: number) => Array.from({ length: count }, () => randomUUID());
const embed = (gateway: InProcessGateway, { model = "m", count = 1 } = {}) =>
  gateway.sendJson("/v1/embeddings", { model, input: texts(count) });
const throttled = {
  faults: [{ kind: "reply", status: 429, headers: { "retry-after": "60" } }],
} as const;

async function stateAt(gateway: InProcessGateway, model = "m"): Promise<string | undefined> {
  const response = await gateway.send("/admin/v1/upstreams", {
    headers: { authorization: `Bearer ${testAdminKey}` },
  });
  const { data } = (await response.json()) as Schemas["UpstreamList"];
  return data[0]?.targets.find((target) => target.model === model)?.state;
}

describeWithRedis("two gateways with one Redis", ({ host, port }) => {
  let closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
    closing = [];
  });

  async function start(upstream: FakeUpstream, redisUrl = `redis://${host}:${port}`) {
    const gateway = await startGateway(`
redisUrl: "${redisUrl}"
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m: { type: embedding, retries: { max: 0 }, targets: [{ upstream: fake, model: m }] }
  marker: { type: embedding, retries: { max: 0 }, targets: [{ upstream: fake, model: marker }] }`);
    closing.push(() => gateway.stop());
    await expect.poll(() => gateway.logLines.join(""), polling).toContain("Redis is connected.");
    return gateway;
  }
  async function startUpstream() {
    const upstream = await startFakeUpstream();
    closing.push(() => upstream.close());
    return upstream;
  }

  test("a target that asked one gateway for a pause is paused by the other", async () => {
    const upstream = await startUpstream();
    const [one, other] = [await start(upstream), await start(upstream)];
    upstream.follow({ always: throttled });

    const refused = await embed(one);
    await expect.poll(() => stateAt(other), polling).toBe("cooling");
    const calls = upstream.received.length;
    const left = await embed(other);

    expect([refused.status, left.status]).toEqual([429, 429]);
    expect(Number(left.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(upstream.received.length).toBe(calls);
  });

  test("a batch limit that one gateway has learned spares the other the refusal", async () => {
    const upstream = await startUpstream();
    upstream.follow({ always: { inputsMax: 8 }, models: { marker: throttled } });
    const [one, other] = [await start(upstream), await start(upstream)];

    const first = await embed(one, { count: 20 });
    // Signals arrive in order, so the pause shows that the limit has arrived.
    await embed(one, { model: "marker" });
    await expect.poll(() => stateAt(other, "marker"), polling).toBe("cooling");
    const refusals = inputCounts(upstream, 422);
    const second = await embed(other, { count: 20 });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(refusals).toEqual([20]);
    expect(inputCounts(upstream, 422)).toEqual([20]);
    expect(inputCounts(upstream, 200).slice(-3).sort()).toEqual([4, 8, 8]);
  });

  test("a Redis that hangs delays neither a request nor the pause of a target", async () => {
    const upstream = await startUpstream();
    const proxy = await startCutOffProxy({ host, port });
    closing.push(() => proxy.close());
    const gateway = await start(upstream, proxy.url);
    proxy.freeze();

    expect((await embed(gateway)).status).toBe(200);
    upstream.follow({ always: throttled });
    await embed(gateway);

    expect(await stateAt(gateway)).toBe("cooling");
  });
});
