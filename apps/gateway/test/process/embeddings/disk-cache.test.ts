import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { GatewayFolder, patientTimers } from "../../gateway/built.js";
import { type TestGateway, testConfig, testEnvironment } from "../../gateway/test-gateway.js";

const width = 16;
/** The writer alone is killed 20 times in `disk-cache-crashes.test.ts`. A whole gateway takes longer to start. */
const kills = Number(process.env.CACHE_KILLS ?? 5);
let upstream: FakeUpstream;
let home: GatewayFolder;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { width } } });
  home = new GatewayFolder(
    `${testConfig}
cache: { disk: { bytesMax: 67108864 } }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: ${width}, cache: { ttl: 365d }, price: { perMillionTokens: 100 }, targets: [{ upstream: fake, model: m }] } }`,
    testEnvironment,
  );
});
afterEach(async () => {
  await home.remove();
  await upstream.close();
});

const embed = (gateway: TestGateway, input: readonly string[]) =>
  gateway.sendJson("/v1/embeddings", { model: "m", input });

async function vectorsIn(response: Response): Promise<number[][]> {
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => embedding);
}

test("10,000 texts that are indexed again after a restart cause no upstream call, and cost nothing", async () => {
  const folder = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
  const index = async (gateway: TestGateway): Promise<(string | null)[]> => {
    const results: (string | null)[] = [];
    for (let from = 0; from < folder.length; from += 500) {
      const texts = folder.slice(from, from + 500);
      const response = await embed(gateway, texts);
      results.push(response.headers.get("x-gateway-cache"));
      expect(await vectorsIn(response)).toEqual(texts.map((text) => vectorOf(text, width)));
    }
    return [...new Set(results)];
  };

  // A slow disk must not turn hits into misses.
  const patient = { preload: patientTimers };
  const first = await home.start({}, patient);
  const before = await index(first);
  await first.stop();
  const inputs = inputCounts(upstream, 200).reduce((sum, count) => sum + count, 0);
  const calls = upstream.received.length;
  const second = await home.start({}, patient);
  const after = await index(second);

  expect(before).toEqual(["miss"]);
  expect(inputs).toBe(10_000);
  expect(after).toEqual(["hit"]);
  expect(upstream.received.length).toBe(calls);
  const admin = new AdminClient(second.url);
  await admin.rowsOnce(40);
  const [usage] = await admin.usage({ group_by: "key,model" });
  expect(usage).toMatchObject({ model: "m", requests: 40, cached_inputs: 10_000 });
  // The fake upstream counts every letter as a token.
  const paid = folder.join("").length / 10_000;
  expect(usage?.cost_usd).toBeCloseTo(paid, 9);
  expect(usage?.saved_usd).toBeCloseTo(paid, 9);
  await second.stop();
});

test("a gateway that is killed while it writes starts again, and never serves a wrong vector", {
  timeout: 1_200_000,
}, async () => {
  const random = createRandom();
  let hits = 0;

  for (let round = 0; round < kills; round += 1) {
    const gateway = await home.start();
    let left = 1 + random.below(20);
    const caller = async (): Promise<void> => {
      for (;;) {
        // Many of them were requested in an earlier round.
        const texts = Array.from({ length: 50 }, () => `text ${random.below(500 * (round + 1))}`);
        const served = await embed(gateway, texts)
          .then(async (response) => ({ response, vectors: await vectorsIn(response) }))
          // The gateway was killed meanwhile.
          .catch(() => undefined);
        if (served === undefined) return;
        if (served.response.headers.get("x-gateway-cache") !== "miss") hits += 1;
        expect(served.vectors).toEqual(texts.map((text) => vectorOf(text, width)));
        left -= 1;
        if (left === 0) await gateway.kill();
      }
    };

    await Promise.all([caller(), caller(), caller(), caller()]);
  }

  expect(hits).toBeGreaterThan(0);
});
