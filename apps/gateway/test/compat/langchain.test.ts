import { OpenAIEmbeddings } from "@langchain/openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CappedUpstream, startCappedUpstream, vectorOf } from "../embeddings/capped-upstream.js";
import { startGateway, type TestGateway, testKey } from "../running-gateway.js";

let upstream: CappedUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startCappedUpstream({ width: 16, cap: 10 });
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

  expect(Float32Array.from(query)).toEqual(vectorOf("a question", 16));
  expect(vectors.map((vector) => Float32Array.from(vector))).toEqual(
    documents.map((text) => vectorOf(text, 16)),
  );
});
