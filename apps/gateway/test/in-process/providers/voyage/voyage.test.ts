import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import type { StrictServer } from "../strict-server.js";
import { startFakeVoyage, voyageKey } from "./fake-voyage.js";

describeEmbeddings({
  provider: "voyage",
  pathPrefix: "/v1",
  start: startFakeVoyage,
  apiKey: voyageKey,
  model: { name: "voyage-4-large", native: 1024, short: 256 },
  maxInputs: 128,
  batchRefusals: [
    {
      reply: {
        status: 400,
        body: {
          detail:
            "Request to model 'voyage-4-large' failed. The max allowed tokens per submitted batch is 9. Your batch has 15 tokens after truncation. Please lower the number of tokens in the batch.",
        },
      },
      sizes: "smaller",
    },
  ],
  textsOf: (body) => (body as { input: string[] }).input,
  typesOf: (body) => (body as { output_dtype: string }).output_dtype,
  modelKeys: "    maxTokens: 100000",
  tooLong: "word ".repeat(32_001).trim(),
  throttled: { status: 429, headers: { "retry-after": "37" }, body: { detail: "Rate limit." } },
});

describe("voyage's input types and batches", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeVoyage();
    gateway = await startGateway(`
upstreams:
  voyage: { provider: voyage, baseUrl: "${fake.origin}/v1", apiKey: ${voyageKey} }
models:
  m:
    type: embedding
    dimensions: 1024
    cache: { ttl: 1h }
    targets: [{ upstream: voyage, model: voyage-4-lite }]
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  const embed = (body: object) => gateway.sendJson("/v1/embeddings", { model: "m", ...body });

  test("queries and documents have separate vectors, and cached ones do not mix", async () => {
    const vectors: unknown[] = [];
    for (const input_type of ["query", "document", undefined, "similarity", "query"]) {
      const response = await embed({ input: "same text", input_type });
      const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
      vectors.push(data[0].embedding);
    }

    const [query, document, none, similarity, again] = vectors;
    expect(again).toEqual(query);
    expect(document).not.toEqual(query);
    // For any other use than a search the provider wants no input type.
    expect(similarity).toEqual(none);
    expect(none).not.toEqual(query);
  });

  test("an input type of another provider is refused with those that this one has", async () => {
    const response = await embed({ input: "a", input_type: "search_query" });

    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { param: string; message: string } };
    expect(error.param).toBe("input_type");
    expect(error.message).toContain("'query', 'document', 'similarity'");
  });

  test("a refusal for too many tokens teaches the target its limit", async () => {
    // The gateway may send a million tokens to this model, and the provider takes fewer here.
    const input = Array.from({ length: 6 }, (_, index) => `${index} ${"w ".repeat(24_999)}`.trim());

    const first = await embed({ input });
    const calls = fake.bodies.length;
    const second = await embed({ input: input.map((text) => text.replaceAll("w", "v")) });

    expect([first.status, second.status]).toEqual([200, 200]);
    // Nothing was refused the second time: the bodies of refusals count as well.
    const sizes = fake.bodies.slice(calls).map((body) => (body as { input: string[] }).input.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6);
  });

  test("GET /v1/models shows the input types", async () => {
    const response = await gateway.send("/v1/models/m");

    expect(await response.json()).toMatchObject({
      embedding: {
        input_type_values: ["query", "document", "similarity", "classification", "clustering"],
        max_tokens: 32_000,
      },
    });
  });
});
