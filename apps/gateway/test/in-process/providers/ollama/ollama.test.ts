import { Ollama } from "ollama";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import type { StrictServer } from "../strict-server.js";
import { unitVector } from "../unit-vectors.js";
import { ollamaKey, startFakeOllama } from "./fake-ollama.js";

const native = 768;
const tooLong = "word ".repeat(2049).trim();

describeEmbeddings({
  provider: "ollama",
  pathPrefix: "",
  start: startFakeOllama,
  apiKey: ollamaKey,
  model: { name: "nomic-embed-text", native, short: 256 },
  maxInputs: 64,
  // It has no limit.
  batchRefusals: [],
  textsOf: (body) => (body as { input: string[] }).input,
  tooLong,
  throttled: { status: 429, headers: { "retry-after": "37" }, body: { error: "too many requests" } },
});

describe("ollama alone", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeOllama();
    const model = (upstream: string, name = "nomic-embed-text") =>
      `{ type: embedding, retries: { max: 0 }, targets: [{ upstream: ${upstream}, model: ${name} }] }`;
    const upstream = `{ provider: ollama, baseUrl: "${fake.origin}", apiKey: ${ollamaKey} }`;
    gateway = await startGateway(`
upstreams:
  one: ${upstream}
  two: ${upstream}
models:
  m: ${model("one")}
  failing: ${model("two")}
  missing: ${model("one", "not-pulled")}
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  const embed = (body: object) => gateway.sendJson("/v1/embeddings", { model: "m", ...body });
  const errorOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return [response.status, error.code];
  };

  test("the official client and the gateway get the same vector from the server", async () => {
    const client = new Ollama({ host: fake.origin, headers: { authorization: `Bearer ${ollamaKey}` } });

    const official = await client.embed({ model: "nomic-embed-text", input: ["a text"], truncate: false });
    const response = await embed({ input: ["a text"] });

    const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
    expect(official.embeddings).toEqual([unitVector("a text", { width: native, native })]);
    expect(data[0].embedding).toEqual(official.embeddings[0]);
    await expect(
      client.embed({ model: "nomic-embed-text", input: tooLong, truncate: false }),
    ).rejects.toMatchObject({ status_code: 400, error: "the input length exceeds the context length" });
  });

  test("nothing is cut, and nothing is sent that the server does not know", async () => {
    await embed({ input: "b", user: "u", encoding_format: "base64" });

    expect(fake.bodies.at(-1)).toEqual({ model: "nomic-embed-text", input: ["b"], truncate: false });
  });

  test("the text that is too long is found in a batch, and the others can go again", async () => {
    const input = Array.from({ length: 20 }, (_, index) => (index === 13 ? tooLong : `text ${index}`));
    fake.bodies.length = 0;

    const response = await embed({ input });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "context_length_exceeded", param: "input[13]" },
    });
    // The batch, and a half of the rest each time.
    expect(fake.bodies.map((body) => (body as { input: string[] }).input.length)).toEqual([20, 10, 5, 3, 1]);
    expect((await embed({ input: input.toSpliced(13, 1) })).status).toBe(200);
  });

  test("a failure inside is not the caller's, whatever its status", async () => {
    fake.scripted.push({
      status: 400,
      body: { error: "llama runner process has terminated: cudaMalloc failed: out of memory" },
    });

    expect(await errorOf(await embed({ model: "failing", input: "c" }))).toEqual([502, "upstream_error"]);
  });

  test("a busy server is unavailable, and a model that was not pulled is missing", async () => {
    fake.scripted.push({
      status: 503,
      body: { error: "server busy, please try again.  maximum pending requests exceeded" },
    });

    expect(await errorOf(await embed({ model: "failing", input: "d" }))).toEqual([
      503,
      "upstream_unavailable",
    ]);
    expect(await errorOf(await embed({ model: "missing", input: "e" }))).toEqual([
      502,
      "upstream_model_missing",
    ]);
  });

  test("a reply without a count of tokens is metered by an estimate", async () => {
    fake.scripted.push({ body: { model: "nomic-embed-text", embeddings: [[0.6, 0.8]] } });

    const response = await embed({ input: "twelve chars" });

    expect(await response.json()).toMatchObject({ usage: { prompt_tokens: 3 } });
  });
});
