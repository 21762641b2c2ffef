import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import type { FakeReply, StrictServer } from "../strict-server.js";
import { mistralKey, startFakeMistral } from "./fake-mistral.js";

function refused(message: string, code: string | null): FakeReply {
  return {
    status: 400,
    body: { object: "error", message, type: "invalid_request_error", param: null, code },
  };
}

describeEmbeddings({
  provider: "mistral",
  pathPrefix: "/v1",
  start: startFakeMistral,
  apiKey: mistralKey,
  model: { name: "codestral-embed", native: 1536, short: 256 },
  maxInputs: 32,
  batchRefusals: [
    {
      reply: refused("Too many inputs in request, split into more batches.", "3210"),
      sizes: [3, 2],
    },
    { reply: refused("Too many tokens in batch. Max is 9 got 15", null), sizes: "smaller" },
    { reply: refused("Too many tokens overall, split into more batches.", "3210"), sizes: "smaller" },
  ],
  textsOf: (body) => (body as { input: string[] }).input,
  typesOf: (body) => (body as { output_dtype: string }).output_dtype,
  // Its words are fewer than maxTokens allows, if the operator has allowed too many.
  modelKeys: "    maxTokens: 100000",
  tooLong: "word ".repeat(16_400).trim(),
  throttled: {
    status: 429,
    headers: { "retry-after": "37" },
    body: {
      object: "error",
      message: "Rate limit exceeded",
      type: "rate_limited",
      param: null,
      code: "1300",
    },
  },
});

describe("mistral's refusals", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeMistral();
    gateway = await startGateway(`
upstreams:
  mistral: { provider: mistral, baseUrl: "${fake.origin}/v1", apiKey: ${mistralKey} }
models:
  m: { type: embedding, targets: [{ upstream: mistral, model: mistral-embed }] }
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  const embed = (body: object) => gateway.sendJson("/v1/embeddings", { model: "m", ...body });

  test("nothing is sent that Mistral does not know", async () => {
    expect((await embed({ input: "a", user: "u" })).status).toBe(200);

    expect(fake.bodies.at(-1)).toEqual({ model: "mistral-embed", input: ["a"] });
  });

  test("a refused field is named as the caller knows it", async () => {
    fake.scripted.push({
      status: 422,
      body: { detail: [{ type: "greater_than", loc: ["body", "output_dimension"], msg: "Too small." }] },
    });

    const response = await embed({ input: "b" });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "dimensions", message: "Too small." } });
  });

  test("a batch that is too large goes again in smaller ones", async () => {
    const message = "Too many tokens in batch. Max is 40 got 60";
    fake.scripted.push({ status: 400, body: { object: "error", message, type: "invalid_request_error" } });
    const input = ["x", "y", "z"].map((letter) => letter.repeat(20));

    expect((await embed({ input })).status).toBe(200);
    // They go at the same time, so either may arrive first.
    expect(fake.bodies.slice(-2)).toEqual(
      expect.arrayContaining([
        { model: "mistral-embed", input: input.slice(0, 2) },
        { model: "mistral-embed", input: input.slice(2) },
      ]),
    );
  });
});
