import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import type { StrictServer } from "../strict-server.js";
import { jinaKey, startFakeJina } from "./fake-jina.js";

const tooLong = "word ".repeat(8193).trim();

describeEmbeddings({
  provider: "jina",
  pathPrefix: "/v1",
  start: startFakeJina,
  apiKey: jinaKey,
  model: { name: "jina-embeddings-v3", native: 1024, short: 256 },
  maxInputs: 512,
  batchRefusals: [
    {
      reply: {
        status: 422,
        body: {
          detail:
            "[RID: ec422fa8] Validation error: 'body -> jina-embeddings-v3' Each input list can contain at most 2 items.. Field errors: : Invalid value",
        },
      },
      sizes: [2, 2, 1],
    },
    {
      reply: { status: 400, body: { detail: "batch size 5 is larger than the largest allowed size 3" } },
      sizes: [3, 2],
    },
  ],
  modelKeys: "    maxTokens: 100000",
  textsOf: (body) => (body as { input: string[] }).input,
  tooLong,
  throttled: {
    status: 429,
    headers: { "retry-after": "37" },
    body: { code: "RATE_REQUEST_LIMIT_EXCEEDED", message: "Rate limit exceeded" },
  },
});

describe("jina alone", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeJina();
    const upstream = `{ provider: jina, baseUrl: "${fake.origin}/v1", apiKey: ${jinaKey} }`;
    gateway = await startGateway(`
upstreams:
  one: ${upstream}
  two: ${upstream}
models:
  v3: { type: embedding, targets: [{ upstream: one, model: jina-embeddings-v3 }] }
  v4: { type: embedding, maxTokens: 100000, targets: [{ upstream: one, model: jina-embeddings-v4 }] }
  omni: { type: embedding, targets: [{ upstream: one, model: jina-embeddings-v5-omni-small }] }
  poor: { type: embedding, retries: { max: 0 }, targets: [{ upstream: two, model: jina-embeddings-v4 }] }
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  test("an omni model takes an image, its tasks, and texts of 32,768 tokens", async () => {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } });
    const url = `data:image/png;base64,${(await image.png().toBuffer()).toString("base64")}`;
    const content = { content: [{ type: "image_url", image_url: { url } }] };

    const ofImage = await gateway.sendJson("/v1/embeddings", { model: "omni", input: [content] });
    const ofText = await gateway.sendJson("/v1/embeddings", {
      model: "omni",
      input: "word ".repeat(20_000),
      input_type: "clustering",
    });

    expect([ofImage.status, ofText.status]).toEqual([200, 200]);
    expect(fake.bodies.slice(-2)).toMatchObject([
      { model: "jina-embeddings-v5-omni-small", input: [{ image: expect.anything() }] },
      { task: "clustering", truncate: false },
    ]);
  });

  const embed = (body: object) => gateway.sendJson("/v1/embeddings", { model: "v3", ...body });

  test.each([
    [undefined, undefined],
    ["query", "retrieval.query"],
    ["document", "retrieval.passage"],
    ["similarity", "text-matching"],
    ["classification", "classification"],
    ["clustering", "separation"],
    ["retrieval.passage", "retrieval.passage"],
  ])("the input type %s is the task %s, and nothing is cut", async (input_type, task) => {
    expect((await embed({ input: "a", input_type, user: "u" })).status).toBe(200);

    expect(fake.bodies.at(-1)).toEqual({
      model: "jina-embeddings-v3",
      input: ["a"],
      ...(task === undefined ? {} : { task }),
      dimensions: 1024,
      embedding_type: "float",
      truncate: false,
      normalized: true,
    });
  });

  test("vectors from a model without the option are normalised by the gateway", async () => {
    const response = await embed({ model: "v4", input: "a" });

    const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
    expect(Math.hypot(...data[0].embedding)).toBeCloseTo(1, 5);
    expect(fake.bodies.at(-1)).not.toHaveProperty("normalized");
  });

  test("a task that the model does not have is refused with those that it has", async () => {
    const response = await embed({ model: "v4", input: "a", input_type: "clustering" });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: "input_type", message: expect.stringContaining("'code.query'") },
    });
  });

  test("late chunking joins all inputs, and is refused by name", async () => {
    const response = await embed({ input: ["a", "b"], late_chunking: true });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "late_chunking" } });
  });

  test("if several texts may be too long, the refusal names none", async () => {
    // The first has more bytes than the limit has tokens.
    const input = [`x${"y".repeat(40_000)}`, "word ".repeat(33_000).trim()];

    const response = await embed({ model: "v4", input });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "context_length_exceeded", param: "input" },
    });
  });

  test("600 inputs go in batches of 512 at most", async () => {
    fake.bodies.length = 0;

    const response = await embed({ input: Array.from({ length: 600 }, (_, index) => `text ${index}`) });

    expect(response.status).toBe(200);
    const sizes = fake.bodies.map((body) => (body as { input: string[] }).input.length);
    expect(sizes.sort((one, other) => one - other)).toEqual([88, 512]);
  });

  test("an account without money is a quota, not a refused key", async () => {
    const code = "AUTHZ_INSUFFICIENT_BALANCE";
    fake.scripted.push({ status: 403, body: { code, message: "Insufficient account balance" } });

    const response = await embed({ model: "poor", input: "a" });

    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ error: { code: "insufficient_quota" } });
  });
});
