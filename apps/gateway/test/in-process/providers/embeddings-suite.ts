import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import type { FakeReply, StrictServer } from "./strict-server.js";
import { base64Of, quantized, roughly, signsOf, unitVector } from "./unit-vectors.js";

/** The requirements for every embeddings provider, through a running gateway. */
export interface EmbeddingSuite {
  readonly provider: string;
  /** The base URL's path. */
  readonly pathPrefix: string;
  readonly start: () => Promise<StrictServer>;
  readonly apiKey: string;
  /** The settings that authenticate, by the key. Default: `apiKey`. */
  readonly credentials?: (key: string) => string;
  /** A model that can be shortened, its native width, and a width that the provider itself can shorten to. */
  readonly model: { readonly name: string; readonly native: number; readonly short: number };
  /** More model keys in the configuration. */
  readonly modelKeys?: string;
  /** The most inputs in one call, as the provider declares it. Over 300, the suite sees no second batch. */
  readonly maxInputs: number;
  /**
   * Its refusals of a batch of five inputs for its size, in its own words: the sizes of the batches that follow, or
   * that they are smaller. Empty without such a limit.
   */
  readonly batchRefusals: readonly BatchRefusal[];
  /** The input texts in the body of a call. */
  readonly textsOf: (body: unknown) => readonly string[];
  /** A text that only the upstream knows to be too long. */
  readonly tooLong: string;
  /** The types of vectors that the body of a call asks for, where the provider makes integers. */
  readonly typesOf?: (body: unknown) => unknown;
  /** A refusal with a wait of 37 seconds in the provider's own form. */
  readonly throttled: FakeReply;
  /** Set if the provider reports no usage, so that the gateway estimates it. */
  readonly usage?: "estimated";
  /** An image model of the provider. It is throttled and refused in the same way. */
  readonly imageModel?: string;
}

export interface BatchRefusal {
  readonly reply: FakeReply;
  readonly sizes: readonly number[] | "smaller";
  /** The replies to requests before the batch. */
  readonly before?: readonly FakeReply[];
}

interface Embedded {
  readonly data: readonly { readonly index: number; readonly embedding: number[] | string }[];
  readonly usage: { readonly prompt_tokens: number };
}

export function describeEmbeddings(suite: EmbeddingSuite): void {
  const { model } = suite;
  describe(`${suite.provider}, through the gateway`, () => {
    let fake: StrictServer;
    let gateway: InProcessGateway;

    beforeAll(async () => {
      fake = await suite.start();
      gateway = await startGateway(configOf(suite, fake.origin));
    });
    beforeEach(() => {
      fake.bodies.length = 0;
    });
    afterAll(async () => {
      await gateway.stop();
      fake.close();
    });

    const embed = async (body: object): Promise<Embedded> => {
      const response = await gateway.sendJson("/v1/embeddings", { model: "m", ...body });
      const text = await response.text();
      expect([response.status, response.status === 200 ? "" : text]).toEqual([200, ""]);
      return JSON.parse(text);
    };
    const expectTokens = ({ prompt_tokens }: Embedded["usage"], tokens: number) =>
      suite.usage === "estimated"
        ? expect(prompt_tokens).toBeGreaterThan(0)
        : expect(prompt_tokens).toBe(tokens);
    const vector = (text: string, width = model.native) => unitVector(text, { width, native: model.native });

    test("one input has its vector and its usage", async () => {
      const { data, usage } = await embed({ input: "three small words" });

      expect(data[0]?.embedding).toEqual(roughly(vector("three small words")));
      expectTokens(usage, 3);
    });

    test("base64 is the same vector", async () => {
      const { data } = await embed({ input: "a", encoding_format: "base64" });

      expect(data[0]?.embedding).toBe(base64Of(vector("a")));
    });

    test("300 inputs go in batches that fit, and come back in their order", async () => {
      const input = Array.from({ length: 300 }, (_, index) => `text number ${index}`);

      const { data, usage } = await embed({ input, encoding_format: "base64" });

      expect(data.map(({ embedding }) => embedding)).toEqual(input.map((text) => base64Of(vector(text))));
      expectTokens(usage, 900);
      const sizes = fake.bodies.map((body) => suite.textsOf(body).length);
      expect(Math.max(...sizes)).toBe(Math.min(suite.maxInputs, input.length));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(300);
    });

    test.each(
      suite.batchRefusals.map((refusal, index) => ({ ...refusal, index, words: wordsOf(refusal.reply) })),
    )("a batch is sent again in smaller ones after $words", async ({ reply, sizes, before = [], index }) => {
      const send = async (letter: string) => {
        fake.bodies.length = 0;
        const input = Array.from({ length: 5 }, (_, number) => `text ${letter} ${number}`);
        const { data } = await embed({ model: `batch-${index}`, input, encoding_format: "base64" });
        expect(data.map(({ embedding }) => embedding)).toEqual(input.map((text) => base64Of(vector(text))));
        const sent = fake.bodies.map((body) => suite.textsOf(body).length).filter((size) => size > 0);
        return sent.sort((one, other) => other - one);
      };
      fake.scripted.push(...before, reply);

      const first = await send("a");
      const second = await send("b");

      expect(Math.max(...first)).toBeLessThan(5);
      // The limit is remembered: the second request is not refused. Tokens may be counted better by then.
      expect(Math.max(...second)).toBeLessThan(5);
      if (sizes !== "smaller") expect([first, second]).toEqual([sizes, sizes]);
    });

    test.each([
      ["that the provider has", model.short],
      ["that only the gateway can shorten to", 100],
    ])("a width %s", async (_name, dimensions) => {
      const { data } = await embed({ input: "a", dimensions });

      expect(data[0]?.embedding).toEqual(roughly(vector("a", dimensions)));
    });

    test("signs are made from its floats, at any width that is divisible by 8", async () => {
      const whole = await embed({ input: "a", output_dtype: "ubinary", encoding_format: "base64" });
      const short = await embed({ input: "a", output_dtype: "binary", dimensions: 104 });

      expect(whole.data[0]?.embedding).toEqual(signsOf(vector("a")));
      expect(short.data[0]?.embedding).toEqual(signsOf(vector("a", 104)).map((byte) => byte - 128));
    });

    test.each(["int8", "uint8"] as const)("%s comes from the provider, or is refused", async (dtype) => {
      const request = { model: "m", input: ["a", "b"], output_dtype: dtype, encoding_format: "base64" };
      const { typesOf } = suite;
      if (typesOf === undefined) {
        const response = await gateway.sendJson("/v1/embeddings", request);
        expect([response.status, fake.bodies]).toEqual([400, []]);
        expect(await response.json()).toMatchObject({ error: { param: "output_dtype" } });
        return;
      }

      const whole = await embed(request);
      const short = await embed({ ...request, dimensions: model.short });

      expect(whole.data.map(({ embedding }) => embedding)).toEqual([
        quantized(vector("a"), dtype),
        quantized(vector("b"), dtype),
      ]);
      expect(short.data[0]?.embedding).toEqual(quantized(vector("a", model.short), dtype));
      expect(fake.bodies.map(typesOf)).toEqual([dtype, dtype]);
    });

    test("a text that is too long is a 400 that names the input", async () => {
      const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: ["a", suite.tooLong] });

      expect(response.status).toBe(400);
      expect(
        await response.json(),
        "readError gives the code context_length_exceeded and the param, or asLocatedError finds the input",
      ).toMatchObject({ error: { code: "context_length_exceeded", param: "input[1]" } });
    });

    test("throttling keeps the wait that the provider requested", async () => {
      fake.scripted.push(suite.throttled);

      const response = await gateway.sendJson("/v1/embeddings", { model: "throttled", input: "b" });

      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("37");
    });

    test("a refused key is the gateway's fault, and is not shown", async () => {
      const response = await gateway.sendJson("/v1/embeddings", { model: "wrong-key", input: "c" });

      await expectRefusedKey(response, gateway);
    });

    if (suite.imageModel === undefined) return;
    test("images are throttled and refused in the same way", async () => {
      const create = (name: string) =>
        gateway.sendJson("/v1/images/generations", { model: name, prompt: "a fox" });
      fake.scripted.push(suite.throttled);

      const throttled = await create("image-throttled");
      const refused = await create("image-wrong-key");

      expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "37"]);
      await expectRefusedKey(refused, gateway);
    });
  });
}

async function expectRefusedKey(response: Response, { logLines }: InProcessGateway): Promise<void> {
  const text = await response.text();
  expect(response.status).toBe(502);
  expect(JSON.parse(text).error.code).toBe("upstream_auth_error");
  expect([text, ...logLines].join("")).not.toContain("wrong-secret");
}

/** The words of a refusal, wherever the provider has them. */
function wordsOf({ body }: FakeReply): string {
  return JSON.stringify(body);
}

/** The models beside `m` have separate targets, because a failure counts against its target. */
function configOf(
  {
    provider,
    pathPrefix,
    apiKey,
    credentials = (key) => `apiKey: ${key}`,
    model,
    modelKeys = "",
    imageModel,
    batchRefusals,
  }: EmbeddingSuite,
  origin: string,
): string {
  const embedding = (upstream: string, name: string) => `  ${name}:
    type: embedding
    dimensions: ${model.native}
    matryoshka: true
    retries: { max: 0 }
${modelKeys}
    targets: [{ upstream: ${upstream}, model: ${model.name} }]
`;
  const image = (upstream: string, name: string) =>
    `  ${name}: { type: image, retries: { max: 0 }, targets: [{ upstream: ${upstream}, model: ${imageModel} }] }\n`;
  const images = `${image("slow", "image-throttled")}${image("wrong", "image-wrong-key")}`;
  const upstream = (name: string, key: string) =>
    `  ${name}: { provider: ${provider}, baseUrl: "${origin}${pathPrefix}", ${credentials(key)} }\n`;
  const batches = batchRefusals.map((_, index) => `batch-${index}`);
  return `upstreams:
${batches.map((name) => upstream(name, apiKey)).join("")}${upstream("good", apiKey)}${upstream("slow", apiKey)}${upstream("wrong", "wrong-secret")}
models:
${batches.map((name) => embedding(name, name)).join("")}${embedding("good", "m")}${embedding("slow", "throttled")}${embedding("wrong", "wrong-key")}${imageModel === undefined ? "" : images}`;
}
