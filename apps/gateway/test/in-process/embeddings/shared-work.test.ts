import { expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Sends all requests, and lets the upstream reply when the gateway has every one of them. */
async function sendTogether(
  options: string,
  inputs: readonly string[],
): Promise<{ responses: Response[]; upstream: FakeUpstream; gateway: InProcessGateway }> {
  const always = { width: 16, order: "reversed" } as const;
  const upstream = await startFakeUpstream({ script: { always: { ...always, isHeld: true } } });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16${options}, targets: [{ upstream: fake, model: m }] } }`);
  const sent = inputs.map((input) => gateway.sendJson("/v1/embeddings", { model: "m", input }));
  await expect.poll(gateway.inFlight).toBe(inputs.length);
  upstream.follow({ always });
  return { responses: await Promise.all(sent), upstream, gateway };
}

test("500 identical requests at the same time cause one upstream call", async () => {
  const { responses, upstream, gateway } = await sendTogether("", Array(500).fill("the same"));

  for (const response of responses) {
    const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
    expect(data[0].embedding).toEqual(vectorOf("the same", 16));
  }
  expect(inputCounts(upstream, 200)).toEqual([1]);
  await gateway.stop();
  await upstream.close();
});

test("512 different requests that may be joined cause at most 50 upstream calls", async () => {
  const texts = Array.from({ length: 8 * 64 }, (_, index) => `text ${index}`);

  const { responses, upstream, gateway } = await sendTogether(
    ", coalesce: { windowMs: 1000, maxInputs: 64 }",
    texts,
  );

  for (const [index, response] of responses.entries()) {
    const { data, usage } = (await response.json()) as {
      data: [{ embedding: number[] }];
      usage: { prompt_tokens: number };
    };
    expect(data[0].embedding).toEqual(vectorOf(texts[index], 16));
    expect(usage.prompt_tokens).toBe(texts[index]?.length);
  }
  const calls = inputCounts(upstream, 200);
  // Eight, unless the machine is so busy that a window ends before 64 requests have come.
  expect(calls.length).toBeLessThanOrEqual(50);
  expect(calls.reduce((sum, count) => sum + count, 0)).toBe(texts.length);
  await gateway.stop();
  await upstream.close();
});
