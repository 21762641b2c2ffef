import { expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../fake-upstream/vectors.mjs";
import { startGateway, type TestGateway } from "../running-gateway.js";
import { inputCounts } from "./input-counts.js";

/** Sends all requests, and lets the upstream answer when the gateway has every one of them. */
async function sendTogether(
  options: string,
  inputs: readonly string[],
): Promise<{ answers: Response[]; upstream: FakeUpstream; gateway: TestGateway }> {
  const always = { width: 16, order: "reversed" } as const;
  const upstream = await startFakeUpstream({ script: { always: { ...always, isHeld: true } } });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16${options}, targets: [{ upstream: fake, model: m }] } }`);
  const sent = inputs.map((input) => gateway.sendJson("/v1/embeddings", { model: "m", input }));
  await expect.poll(gateway.underWay, { timeout: 20_000 }).toBe(inputs.length);
  upstream.follow({ always });
  return { answers: await Promise.all(sent), upstream, gateway };
}

test("500 identical requests at the same time cause one upstream call", async () => {
  const { answers, upstream, gateway } = await sendTogether("", Array(500).fill("the same"));

  for (const answer of answers) {
    const { data } = (await answer.json()) as { data: [{ embedding: number[] }] };
    expect(data[0].embedding).toEqual(vectorOf("the same", 16));
  }
  expect(inputCounts(upstream, 200)).toEqual([1]);
  await gateway.stop();
  await upstream.close();
});

test("500 different requests that may be joined cause at most 50 upstream calls", async () => {
  const texts = Array.from({ length: 500 }, (_, index) => `text ${index}`);

  const { answers, upstream, gateway } = await sendTogether(
    ", coalesce: { windowMs: 500, maxInputs: 64 }",
    texts,
  );

  for (const [index, answer] of answers.entries()) {
    const { data, usage } = (await answer.json()) as {
      data: [{ embedding: number[] }];
      usage: { prompt_tokens: number };
    };
    expect(data[0].embedding).toEqual(vectorOf(texts[index], 16));
    expect(usage.prompt_tokens).toBe(texts[index]?.length);
  }
  const calls = inputCounts(upstream, 200);
  expect(calls.length).toBeLessThanOrEqual(50);
  expect(calls.reduce((sum, count) => sum + count, 0)).toBe(500);
  await gateway.stop();
  await upstream.close();
});
