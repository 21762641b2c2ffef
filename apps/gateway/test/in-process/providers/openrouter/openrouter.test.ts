import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf } from "../paint-masked.js";
import type { StrictServer } from "../strict-server.js";
import { openRouterKey, refused, startFakeOpenRouter } from "./fake-openrouter.js";

describeEmbeddings({
  provider: "openrouter",
  pathPrefix: "/api/v1",
  start: startFakeOpenRouter,
  apiKey: openRouterKey,
  model: { name: "openai/text-embedding-3-small", native: 1536, short: 512 },
  maxInputs: 2048,
  batchRefusals: [],
  modelKeys: "    maxTokens: 100000",
  textsOf: (body) => (body as { input: string[] }).input,
  tooLong: "word ".repeat(8193).trim(),
  throttled: { ...refused(429, "Rate limit exceeded"), headers: { "retry-after": "37" } },
  imageModel: "openai/gpt-image-2",
});

describe("images", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  const { create, edit } = imageRequests(() => gateway);
  const rowOf = (response: Response) => new AdminClient(gateway.url).rowOf(response);

  beforeAll(async () => {
    fake = await startFakeOpenRouter();
    gateway = await startGateway(`upstreams:
  router: { provider: openrouter, baseUrl: "${fake.origin}/api/v1", apiKey: ${openRouterKey} }
  listed: { provider: openrouter, baseUrl: "${fake.origin}/api/v1", apiKey: ${openRouterKey}, discover: true }
models:
  gpt: { type: image, targets: [{ upstream: router, model: openai/gpt-image-2 }] }
  other: { type: image, targets: [{ upstream: router, model: black-forest-labs/flux.2-pro }] }
  agreed: { type: image, price: { perImage: 0.5 }, targets: [{ upstream: router, model: openai/gpt-image-2 }] }
  small: { type: embedding, dimensions: 1536, targets: [{ upstream: router, model: openai/text-embedding-3-small }] }
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });
  beforeEach(() => {
    fake.bodies.length = 0;
  });

  test("an image has all its options, and the ledger has OpenRouter's own figure of $0.0387", async () => {
    const options = { size: "1536x1024", quality: "high", background: "opaque", output_format: "webp" };

    const response = await create({ model: "gpt", ...options, output_compression: 80, user: "someone" });

    expect(fake.bodies).toEqual([
      { model: "openai/gpt-image-2", prompt: "a fox", ...options, output_compression: 80, user: "someone" },
    ]);
    expect(await response.json()).toMatchObject({ created: 1_763_000_000, output_format: "webp" });
    expect(await rowOf(response)).toMatchObject({ images: 1, cost_usd: 0.0387 });
  });

  test("the operator's own price counts more than the reported cost", async () => {
    expect(await rowOf(await create({ model: "agreed" }))).toMatchObject({ cost_usd: 0.5 });
  });

  test("three images are three calls, because a host may return fewer, and cost three times as much", async () => {
    const response = await create({ model: "other", n: 3, size: "auto" });

    expect(await imagesOf(response.clone())).toHaveLength(3);
    expect(fake.bodies).toEqual(Array(3).fill({ model: "black-forest-labs/flux.2-pro", prompt: "a fox" }));
    expect(await rowOf(response)).toMatchObject({ images: 3, cost_usd: 0.1161 });
  });

  test.each([
    [{ model: "other", quality: "high" }, "quality"],
    [{ model: "other", background: "transparent" }, "background"],
    [{ model: "other", seed: 1 }, "seed"],
    [{ model: "gpt", style: "natural" }, "style"],
    [{ model: "gpt", size: "100x100" }, "size"],
    [{ model: "gpt", moderation: "low" }, "moderation"],
  ])("%j is refused by name, and nothing is sent", async (body, param) => {
    expect(await errorOf(await create(body))).toMatchObject({ status: 400, param });
    expect(fake.bodies).toEqual([]);
  });

  test("the images of an edit are references, and a mask is refused by name", async () => {
    const image = await gradient(16, 16);
    const mask = await maskOf(16, 16, () => true);
    const url = `data:image/png;base64,${image.toString("base64")}`;

    await imagesOf(await edit({ model: "other", image: [image, image] }));

    const reference = { type: "image_url", image_url: { url } };
    expect(fake.bodies).toMatchObject([{ prompt: "a hat", input_references: [reference, reference] }]);
    expect(await errorOf(await edit({ model: "other", image, mask }))).toMatchObject({
      status: 400,
      param: "mask",
    });
  });

  test.each(["a forbidden fox", "a gruesome fox"])("moderation of %j is the caller's 400", async (prompt) => {
    expect(await errorOf(await create({ model: "gpt", prompt }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
    });
    expect((await create({ model: "gpt" })).status).toBe(200);
  });

  test.each([
    ["no images", { created: 1, data: [] }, 502, "upstream_invalid_reply"],
    ["an empty image", { created: 1, data: [{ b64_json: "" }] }, 502, "upstream_invalid_reply"],
    ["an error", { error: { code: 502, message: "Provider disconnected" } }, 502, "upstream_error"],
    [
      "a refusal",
      { error: { code: 403, message: "Flagged.", metadata: { reasons: ["violence"] } } },
      400,
      "moderation_blocked",
    ],
  ])("a reply of 200 with %s is not a success", async (_name, body, status, code) => {
    fake.scripted.push({ body });

    expect(await errorOf(await create({ model: "gpt" }))).toMatchObject({ status, code });
  });

  test("an account without credits says so", async () => {
    fake.scripted.push(refused(402, "Insufficient credits"));

    expect(await errorOf(await create({ model: "other" }))).toMatchObject({
      status: 429,
      code: "insufficient_quota",
    });
  });

  test("the ledger has the cost of vectors that OpenRouter reports: $0.02 for a million tokens", async () => {
    const response = await gateway.sendJson("/v1/embeddings", {
      model: "small",
      input: ["three small words", "and these are four"],
      input_type: "query",
    });

    expect(response.status).toBe(200);
    expect(fake.bodies).toMatchObject([{ input_type: "search_query" }]);
    expect(await rowOf(response)).toMatchObject({ input_tokens: 7, cost_usd: 1.4e-7 });
  });

  test("discovered models have the options that the list tells", async () => {
    const { data } = (await (await gateway.send("/v1/models")).json()) as {
      data: { id: string; operations: string[]; image?: object; embedding?: object }[];
    };
    const found = Object.fromEntries(data.map(({ id, ...model }) => [id, model]));

    expect(found["openai/gpt-image-2"]).toMatchObject({
      operations: ["createImage", "createImageEdit"],
      image: { qualities: ["auto", "low", "medium", "high"], backgrounds: ["auto", "transparent", "opaque"] },
    });
    expect(found["bytedance-seed/seedream-4.5"]).toMatchObject({
      operations: ["createImage"],
      image: { qualities: ["auto"], parameters: expect.arrayContaining(["size", "seed"]) },
    });
    expect(found["openai/text-embedding-3-small"]).toMatchObject({
      embedding: { dimensions: 1536, max_tokens: 8192 },
    });
    expect(Object.keys(found)).not.toContain("an entry of another shape");
  });
});
