import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import type { StrictServer } from "../strict-server.js";
import { startFakeTei, teiKey } from "./fake-tei.js";

const tooLong = "word ".repeat(513).trim();

describeEmbeddings({
  provider: "tei",
  pathPrefix: "",
  start: startFakeTei,
  apiKey: teiKey,
  model: { name: "intfloat/e5-small-v2", native: 384, short: 128 },
  maxInputs: 32,
  batchRefusals: [
    {
      // A proxy in front knows no /info.
      before: [{ status: 404, body: { error: "Not found" } }],
      reply: {
        status: 422,
        body: { error: "batch size 5 > maximum allowed batch size 2", error_type: "Validation" },
      },
      sizes: [2, 2, 1],
    },
  ],
  // The request for /info has no body.
  textsOf: (body) => (body as { inputs: string[] } | undefined)?.inputs ?? [],
  tooLong,
  throttled: {
    status: 429,
    headers: { "retry-after": "37" },
    body: { error: "Model is overloaded", error_type: "Overloaded" },
  },
});

describe("tei alone", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeTei();
  });
  beforeEach(async () => {
    fake.bodies.length = 0;
    gateway = await startGateway(`
upstreams:
  tei: { provider: tei, baseUrl: "${fake.origin}", apiKey: ${teiKey} }
models:
  m: { type: embedding, retries: { max: 0 }, targets: [{ upstream: tei, model: e5 }] }
`);
    return () => gateway.stop();
  });
  afterAll(() => fake.close());

  const embed = (body: object) => gateway.sendJson("/v1/embeddings", { model: "m", ...body });
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);
  const sizes = () =>
    fake.bodies.map((body) => (body as { inputs: string[] } | undefined)?.inputs.length ?? "info");

  test("one input needs no limit, and nothing is cut", async () => {
    await embed({ input: "a", user: "u" });

    expect(fake.bodies).toEqual([{ inputs: ["a"], truncate: false, normalize: true }]);
  });

  test("the limit is read once, and no call goes over it", async () => {
    await embed({ input: texts(40) });
    await embed({ input: texts(33) });

    expect(sizes().sort()).toEqual([1, 32, 32, 8, "info"]);
  });

  test("a server that states no limit teaches it by its refusal", async () => {
    fake.scripted.push({ status: 404, body: "" });

    const response = await embed({ input: texts(40) });

    expect(response.status).toBe(200);
    expect(sizes().sort()).toEqual([32, 40, 8]);
  });

  test("a failure to read the limit fails the call, and it is read again for the next", async () => {
    fake.scripted.push({ status: 424, body: { error: "backend", error_type: "Backend" } });

    const first = await embed({ input: texts(2) });
    const second = await embed({ input: texts(2) });

    expect([first.status, second.status]).toEqual([502, 200]);
    expect(sizes()).toEqual(["info", 2]);
  });

  test("a text that is too long is found in a batch", async () => {
    const response = await embed({ input: texts(8).toSpliced(5, 1, tooLong) });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        code: "context_length_exceeded",
        param: "input[5]",
        message: expect.stringContaining("less than 512 tokens"),
      },
    });
  });

  test("input types are names of prompts, and one that the model lacks is refused by name", async () => {
    const query = await embed({ input: "a", input_type: "query" });
    const similarity = await embed({ input: "a", input_type: "similarity" });
    const document = await embed({ input: "a", input_type: "document" });

    expect([query.status, similarity.status, document.status]).toEqual([200, 200, 400]);
    const names = fake.bodies.map((body) => (body as { prompt_name?: string }).prompt_name);
    expect(names).toEqual(["query", undefined, "document"]);
    expect(await document.json()).toMatchObject({ error: { param: "input_type" } });
  });

  test("a reply without the header is metered by an estimate", async () => {
    fake.scripted.push({ body: [[0.6, 0.8]] });

    const response = await embed({ input: "twelve chars" });

    expect(await response.json()).toMatchObject({ usage: { prompt_tokens: 3 } });
  });
});
