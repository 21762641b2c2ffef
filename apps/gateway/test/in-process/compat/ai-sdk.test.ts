import { createOpenAI } from "@ai-sdk/openai";
import { embed, embedMany } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream({
    script: { always: { width: 16, inputsMax: 10, order: "reversed" } },
  });
  gateway = await startGateway(`
upstreams: { capped: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, targets: [{ upstream: capped, model: m }] } }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

test("the Vercel AI SDK embeds one value and many, with only its base URL changed", async () => {
  const openai = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey });
  const values = Array.from({ length: 300 }, (_, index) => `value ${index}`);

  const one = await embed({ model: openai.embedding("m"), value: "a question" });
  const many = await embedMany({ model: openai.embedding("m"), values });

  expect(one.embedding).toEqual(vectorOf("a question", 16));
  expect(many.embeddings).toEqual(values.map((text) => vectorOf(text, 16)));
  expect(many.usage.tokens).toBe(values.join("").length);
});
