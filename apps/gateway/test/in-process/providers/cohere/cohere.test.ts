import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import type { StrictServer } from "../strict-server.js";
import { cohereKey, startFakeCohere } from "./fake-cohere.js";

describeEmbeddings({
  provider: "cohere",
  pathPrefix: "/v2",
  start: startFakeCohere,
  apiKey: cohereKey,
  model: { name: "embed-v4.0", native: 1536, short: 512 },
  maxInputs: 96,
  batchRefusals: [
    {
      reply: {
        status: 400,
        body: { id: "e1", message: "invalid request: total number of texts must be at most 2 - received 5" },
      },
      sizes: [2, 2, 1],
    },
  ],
  modelKeys: "    inputType: document\n    maxTokens: 200000",
  textsOf: (body) => (body as { texts: string[] }).texts,
  typesOf: (body) => (body as { embedding_types: string[] }).embedding_types.join(),
  tooLong: "word ".repeat(128_001).trim(),
  throttled: {
    status: 429,
    headers: { "retry-after": "37" },
    body: {
      id: "e0",
      message: "You are past the per minute request limit, please wait and try again later.",
    },
  },
});

async function onePixel(): Promise<string> {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } });
  return (await image.png().toBuffer()).toString("base64");
}

describe("cohere alone", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeCohere();
    gateway = await startGateway(`
upstreams:
  cohere: { provider: cohere, baseUrl: "${fake.origin}/v2", apiKey: ${cohereKey} }
models:
  m: { type: embedding, inputType: document, targets: [{ upstream: cohere, model: embed-english-v3.0 }] }
  v5: { type: embedding, inputType: document, dimensions: 2048, matryoshka: true, targets: [{ upstream: cohere, model: embed-v5.0-pro }] }
  quota: { type: embedding, inputType: query, targets: [{ upstream: cohere, model: embed-v4.0 }] }
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  test.each([
    [undefined, "search_document"],
    ["query", "search_query"],
    ["search_query", "search_query"],
    ["clustering", "clustering"],
  ])("the input type %s is sent as %s, and nothing is cut", async (input_type, word) => {
    await gateway.sendJson("/v1/embeddings", { model: "m", input: "a", input_type, user: "u" });

    expect(fake.bodies.at(-1)).toEqual({
      model: "embed-english-v3.0",
      texts: ["a"],
      input_type: word,
      embedding_types: ["float"],
      truncate: "NONE",
    });
  });

  test("the fifth generation takes images and integers at its own widths", async () => {
    const url = `data:image/png;base64,${await onePixel()}`;
    const input = [
      {
        content: [
          { type: "text", text: "a chart" },
          { type: "image_url", image_url: { url } },
        ],
      },
    ];
    const sent = { model: "v5", input, dimensions: 768, output_dtype: "int8" };

    const response = await gateway.sendJson("/v1/embeddings", sent);
    const whole = await gateway.sendJson("/v1/embeddings", { model: "v5", input: "a" });

    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    expect([response.status, data[0]?.embedding.length]).toEqual([200, 768]);
    expect(fake.bodies.at(-2)).toMatchObject({
      model: "embed-v5.0-pro",
      inputs: [{ content: [{ type: "text", text: "a chart" }, { type: "image_url" }] }],
      output_dimension: 768,
      embedding_types: ["int8"],
    });
    expect(((await whole.json()) as { data: { embedding: number[] }[] }).data[0]?.embedding).toHaveLength(
      2048,
    );
  });

  test("a limit of the old models is enforced before a call", async () => {
    const before = fake.bodies.length;

    const response = await gateway.sendJson("/v1/embeddings", {
      model: "m",
      input: ["a", "word ".repeat(513)],
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "context_length_exceeded", param: "input[1]", message: expect.stringContaining("512") },
    });
    expect(fake.bodies.length).toBe(before);
  });

  test("a trial key without calls left is a quota, and a deny-listed text is the caller's", async () => {
    fake.scripted.push(
      {
        status: 429,
        body: { message: "You are using a Trial key, which is limited to 1000 API calls / month. per month" },
      },
      { status: 498, body: { id: "e0", message: "blocked input: a token of it is on the deny list" } },
    );

    const quota = await gateway.sendJson("/v1/embeddings", { model: "quota", input: "a" });
    const denied = await gateway.sendJson("/v1/embeddings", { model: "m", input: "b" });

    expect([quota.status, ((await quota.json()) as { error: { code: string } }).error.code]).toEqual([
      429,
      "insufficient_quota",
    ]);
    expect([denied.status, ((await denied.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      "content_policy_violation",
    ]);
  });

  test("an upstream that reports no usage is metered by an estimate, which the ledger and the log mark", async () => {
    const vector = Array.from({ length: 4 }, () => 0.5);
    fake.scripted.push({ body: { id: "e0", embeddings: { float: [vector] }, texts: [] } });

    const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: "twelve chars" });
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };

    expect(usage.prompt_tokens).toBe(3);
    const requestId = response.headers.get("x-request-id");
    await expect
      .poll(() => gateway.logLines.find((line) => line.includes(String(requestId))))
      .toContain('"tokensEstimated":true');
    const admin = { headers: { authorization: "Bearer test-admin-key-0123456789" } };
    await expect
      .poll(async () => {
        const listed = await gateway.send("/admin/v1/requests?limit=1", admin);
        return ((await listed.json()) as { data: { id: string }[] }).data[0];
      })
      .toMatchObject({ id: requestId, tokens_estimated: true, input_tokens: 3 });
  });
});
