import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings, type EmbeddingSuite } from "../embeddings-suite.js";
import type { StrictServer } from "../strict-server.js";
import { bedrockKey, bedrockRegion, failure, startFakeBedrock } from "./fake-bedrock.js";

const throttled = failure(429, "ThrottlingException", "Too many requests, please wait before trying again.");

const suite: Omit<EmbeddingSuite, "model" | "maxInputs" | "batchRefusals" | "textsOf" | "tooLong"> = {
  provider: "bedrock",
  pathPrefix: "",
  start: () => startFakeBedrock(),
  apiKey: bedrockKey,
  // The service itself names no wait. A proxy before it may.
  throttled: { ...throttled, headers: { ...throttled.headers, "retry-after": "37" } },
};

describe("Titan", () => {
  describeEmbeddings({
    ...suite,
    model: { name: '"amazon.titan-embed-text-v2:0"', native: 1024, short: 256 },
    maxInputs: 1,
    batchRefusals: [],
    modelKeys: "    maxTokens: 100000",
    textsOf: (body) => [(body as { inputText: string }).inputText],
    tooLong: "word ".repeat(8193).trim(),
    imageModel: '"stability.stable-image-core-v1:1"',
  });
});

describe("Cohere", () => {
  describeEmbeddings({
    ...suite,
    model: { name: '"us.cohere.embed-v4:0"', native: 1536, short: 512 },
    maxInputs: 96,
    batchRefusals: [
      {
        reply: failure(
          400,
          "ValidationException",
          "Malformed input request: #/texts: expected maximum item count: 2, found: 5, please reformat your input and try again.",
        ),
        sizes: [2, 2, 1],
      },
      {
        reply: failure(
          400,
          "ValidationException",
          "Malformed input request: #/texts: expected maxItems: 3, actual: 5",
        ),
        sizes: [3, 2],
      },
      {
        reply: failure(
          400,
          "ValidationException",
          "400 Bad Request: Too many input tokens. Max input tokens: 9, request input token count: 15",
        ),
        sizes: "smaller",
      },
    ],
    modelKeys: "    inputType: document\n    maxTokens: 200000",
    textsOf: (body) => (body as { texts: string[] }).texts,
    typesOf: (body) => (body as { embedding_types: string[] }).embedding_types.join(),
    tooLong: "word ".repeat(128_001).trim(),
  });
});

describe("Nova", () => {
  describeEmbeddings({
    ...suite,
    model: { name: '"amazon.nova-2-multimodal-embeddings-v1:0"', native: 3072, short: 384 },
    maxInputs: 1,
    batchRefusals: [],
    modelKeys: "    inputType: document\n    maxTokens: 100000",
    textsOf: (body) => [
      (body as { singleEmbeddingParams: { text: { value: string } } }).singleEmbeddingParams.text.value,
    ],
    tooLong: "word ".repeat(8193).trim(),
  });
});

describe("bedrock alone", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;

  beforeAll(async () => {
    fake = await startFakeBedrock();
    const signed = (secret: string) =>
      `{ provider: bedrock, region: ${bedrockRegion}, baseUrl: "${fake.origin}", accessKeyId: AKIAPERMANENT, secretAccessKey: ${secret}`;
    const model = (upstream: string, name: string, keys = "") =>
      `{ type: embedding, ${keys} retries: { max: 0 }, targets: [{ upstream: ${upstream}, model: "${name}" }] }`;
    gateway = await startGateway(`
upstreams:
  signed: ${signed("permanent/secret+key")} }
  wrong-secret: ${signed("another-secret")} }
  throttled: ${signed("permanent/secret+key")} }
  profiles: ${signed("permanent/secret+key")}, inferenceProfiles: { "cohere.embed-v4:0": "us.cohere.embed-v4:0" } }
models:
  titan: ${model("signed", "amazon.titan-embed-text-v2:0")}
  titan-v1: ${model("signed", "amazon.titan-embed-text-v1")}
  cohere-v3: ${model("signed", "cohere.embed-english-v3", "inputType: document,")}
  cohere-v4: ${model("profiles", "cohere.embed-v4:0", "inputType: document, dimensions: 1536, matryoshka: true,")}
  nova: ${model("signed", "amazon.nova-2-multimodal-embeddings-v1:0", "inputType: document, dimensions: 3072, matryoshka: true,")}
  wrong-secret: ${model("wrong-secret", "amazon.titan-embed-text-v2:0")}
  throttled: ${model("throttled", "amazon.titan-embed-text-v2:0")}
  missing: ${model("signed", "amazon.titan-embed-text-v2:7")}
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  const embed = async (body: object) => {
    const response = await gateway.sendJson("/v1/embeddings", { input: "a", ...body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test("a signed request with letters of all kinds is accepted", async () => {
    expect((await embed({ model: "titan", input: "Grüße, 世界 🎉" })).status).toBe(200);
    expect(fake.bodies.at(-1)).toEqual({ inputText: "Grüße, 世界 🎉", normalize: true });
  });

  test("a wrong signature is the gateway's fault, and its secret is not shown", async () => {
    const { status, body } = await embed({ model: "wrong-secret" });

    expect([status, body]).toMatchObject([502, { error: { code: "upstream_auth_error" } }]);
    expect([JSON.stringify(body), ...gateway.logLines].join("")).not.toContain("another-secret");
  });

  test.each([
    [undefined, "search_document"],
    ["query", "search_query"],
    ["clustering", "clustering"],
  ])("Cohere gets the input type %s as %s, and nothing is cut", async (input_type, word) => {
    await embed({ model: "cohere-v3", input_type, user: "u" });

    expect(fake.bodies.at(-1)).toEqual({
      texts: ["a"],
      input_type: word,
      embedding_types: ["float"],
      truncate: "NONE",
    });
  });

  test.each([
    [undefined, "GENERIC_INDEX"],
    ["query", "TEXT_RETRIEVAL"],
    ["classification", "CLASSIFICATION"],
  ])("Nova gets the input type %s as %s, and nothing is cut", async (input_type, embeddingPurpose) => {
    await embed({ model: "nova", input_type, dimensions: 256 });

    expect(fake.bodies.at(-1)).toEqual({
      schemaVersion: "nova-multimodal-embed-v1",
      taskType: "SINGLE_EMBEDDING",
      singleEmbeddingParams: {
        embeddingPurpose,
        embeddingDimension: 256,
        text: { value: "a", truncationMode: "NONE" },
      },
    });
  });

  test("an input type that a family does not have is refused by name", async () => {
    const titan = await embed({ model: "titan", input_type: "similarity" });
    const cohere = await embed({ model: "cohere-v3", input_type: "similarity" });

    expect([titan.status, titan.body]).toMatchObject([400, { error: { param: "input_type" } }]);
    expect([cohere.status, cohere.body]).toMatchObject([400, { error: { param: "input_type" } }]);
  });

  test("vectors from Titan's first version get a length of 1", async () => {
    const { body } = await embed({ model: "titan-v1" });
    const { data } = body as { data: { embedding: number[] }[] };

    expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
  });

  test("a text with too many characters is known by its index", async () => {
    const cohere = await embed({ model: "cohere-v3", input: ["b", "x".repeat(2049)] });
    const titan = await embed({ model: "titan", input: ["b", "x".repeat(50_001)] });

    const expected = { error: { code: "context_length_exceeded", param: "input[1]" } };
    expect([cohere.status, cohere.body]).toMatchObject([400, expected]);
    expect([titan.status, titan.body]).toMatchObject([400, expected]);
  });

  test("an inference profile is called for the model that it is of", async () => {
    expect((await embed({ model: "cohere-v4", dimensions: 256 })).status).toBe(200);
    expect(fake.bodies.at(-1)).toMatchObject({ output_dimension: 256, input_type: "search_document" });
  });

  test("a model that is not there is said to be missing", async () => {
    fake.scripted.push(failure(400, "ValidationException", "The provided model identifier is invalid."));
    const missing = await embed({ model: "missing" });

    expect([missing.status, missing.body]).toMatchObject([
      502,
      { error: { code: "upstream_model_missing" } },
    ]);
  });

  test("throttling without a wait has a short one", async () => {
    fake.scripted.push(throttled);

    const { status, headers } = await embed({ model: "throttled" });

    expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
  });
});
