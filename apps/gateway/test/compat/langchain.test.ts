import { OpenAIEmbeddings } from "@langchain/openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";
import { testKey } from "../gateway/test-gateway.js";

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

test("LangChain's OpenAIEmbeddings embeds queries and documents, with only its base URL changed", async () => {
  const embeddings = new OpenAIEmbeddings({
    model: "m",
    apiKey: testKey,
    configuration: { baseURL: `${gateway.url}/v1` },
  });
  const documents = Array.from({ length: 600 }, (_, index) => `document ${index}`);

  const query = await embeddings.embedQuery("a question");
  const vectors = await embeddings.embedDocuments(documents);

  expect(query).toEqual(vectorOf("a question", 16));
  expect(vectors).toEqual(documents.map((text) => vectorOf(text, 16)));
});
