import type { Schemas } from "@model-gateway/domain/operations";
import { beforeEach, describe, expect, test } from "vitest";
import { BatchClient, batchLine } from "../../gateway/batch-client.js";
import { suiteGateway } from "../../gateway/suite.js";
import { content, expectedVector, imagePart, sampleImages, textPart, tinyPng } from "./content-inputs.js";

const model = (keys: string, target: string) =>
  `{ type: embedding, dimensions: 8, tokenizer: cl100k_base, ${keys} targets: [{ upstream: fake, model: m, ${target} }] }`;
const context = suiteGateway(
  ({ baseUrl }) => `
batches: { concurrency: 2 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  images: ${model("cache: { ttl: 1h },", "inputImages: true")}
  chat: ${model("", "inputImages: { form: messages }")}
  text: ${model("cache: { ttl: 1h },", "")}
  apart: ${model("", "inputImages: { mixesParts: false }")}
`,
);
beforeEach(() => {
  context.upstream.follow({});
  context.upstream.received.length = 0;
});

const embed = async (body: object, path = "/v1/embeddings") => {
  const response = await context.gateway.sendJson(path, body);
  const { data, error } = (await response.json()) as Schemas["CreateEmbeddingResponse"] &
    Partial<Schemas["ErrorResponse"]>;
  const state = response.headers.get("x-gateway-cache");
  return { status: response.status, state, error, vectors: data?.map(({ embedding }) => embedding) };
};
const user = (...parts: readonly object[]) => ({ role: "user", content: parts });

/** The body that Dify's plugin for OpenAI-compatible models sends with vision support. */
const ofDify = (model: string, ...parts: readonly object[]) => ({
  messages: [
    { role: "system", content: [textPart("Represent the user's input.")] },
    user(...parts),
    { role: "assistant", content: [textPart("")] },
  ],
  model,
  encoding_format: "float",
  continue_final_message: true,
  add_special_tokens: true,
});

describe("a conversation is one input:", () => {
  test("Dify's, with an image and an empty text", async () => {
    const [image] = await sampleImages(1);

    const { status, vectors } = await embed(ofDify("images", imagePart(image!), textPart("")));

    const same = content(textPart("Represent the user's input."), imagePart(image!));
    expect([status, vectors]).toEqual([200, [expectedVector(same)]]);
    expect(context.upstream.received.map(({ body }) => body)).toEqual([
      expect.objectContaining({ model: "m", input: [same] }),
    ]);
  });

  test("Dify's with text alone, for a model of texts", async () => {
    const { vectors } = await embed(ofDify("text", textPart("a fox")));

    expect(vectors).toEqual([expectedVector("Represent the user's input.\na fox")]);
  });

  test("texts that follow each other are joined, and images keep their places", async () => {
    const [first, second] = await sampleImages(2);
    const messages = [
      { role: "system", content: "one" },
      user(textPart("two"), imagePart(first!), textPart("three")),
      { role: "assistant", content: "four" },
      user(imagePart(second!)),
    ];

    const { vectors } = await embed({ model: "chat", messages });

    const same = content(
      textPart("one\ntwo"),
      imagePart(first!),
      textPart("three\nfour"),
      imagePart(second!),
    );
    expect(vectors).toEqual([expectedVector(same)]);
    expect(context.upstream.received[0]?.body).toEqual({ model: "m", messages: [{ role: "user", ...same }] });
  });

  test("its cache entry is that of the equal input", async () => {
    const [image] = await sampleImages(1, "webp");
    const parts = [imagePart(image!, "webp"), textPart("cached")];
    const stateOf = async (body: object) => (await embed(body)).state;
    // The cache gets a vector after its response.
    const given = { model: "images", input: [content(...parts)] };
    await expect.poll(() => stateOf(given), { timeout: 90_000 }).toBe("hit");
    const text = { model: "text", input: "one\ntwo" };
    await expect.poll(() => stateOf(text), { timeout: 90_000 }).toBe("hit");

    expect(await stateOf({ model: "images", messages: [user(...parts)] })).toBe("hit");
    expect(await stateOf({ model: "text", messages: [user(textPart("one"), textPart("two"))] })).toBe("hit");
  });

  test.each([
    "/v1/engines/images/embeddings",
    "/openai/deployments/images/embeddings?api-version=2024-10-21",
  ])("at %s", async (path) => {
    const { vectors } = await embed({ messages: [user(imagePart(tinyPng))] }, path);

    expect(vectors).toEqual([expectedVector(content(imagePart(tinyPng)))]);
  });

  test("in a line of a batch", async () => {
    const client = new BatchClient(context.gateway.url);
    const body = { model: "images", messages: [user(imagePart(tinyPng), textPart("a line"))] };

    const batch = await client.run([batchLine("a", body)]);

    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 1, failed: 0 } });
    const sent = context.upstream.received.map((one) => one.body.input);
    expect(sent).toEqual([[content(imagePart(tinyPng), textPart("a line"))]]);
  });
});

test("a misspelt name of the inputs is named", async () => {
  expect((await embed({ model: "text", inputs: "a" })).error).toMatchObject({
    param: "input",
    message: "Missing required parameter: 'input'. 'inputs' is unknown. Did you mean 'input'?",
  });
});

describe("a conversation that is not one input, or that the model does not take, is refused by name:", () => {
  const message = user(textPart("a"));
  const image = imagePart(tinyPng);

  test.each<[string, object, string, string]>([
    ["images", { messages: [message], input: "a" }, "messages", "invalid_value"],
    ["images", { messages: [[message], [message]] }, "messages[0]", "invalid_type"],
    ["images", { messages: [] }, "messages", "empty_array"],
    ["images", { messages: [user(textPart(""))] }, "messages", "empty_string"],
    ["images", { messages: [{ ...message, role: "tool" }] }, "messages[0].role", "invalid_value"],
    ["images", { messages: [{ role: "user" }] }, "messages[0].content", "missing_required_parameter"],
    ["images", { messages: null }, "input", "missing_required_parameter"],
    ["images", { input: "a", add_special_tokens: true }, "add_special_tokens", "invalid_value"],
    [
      "images",
      { messages: Array.from({ length: 9 }, () => user(textPart("a"), image)) },
      "messages",
      "array_above_max_length",
    ],
    ["text", { messages: [message, user(image)] }, "messages[1].content[0]", "unsupported_modality"],
    [
      "apart",
      { messages: [{ role: "system", content: "a" }, user(image)] },
      "messages[1].content[0]",
      "unsupported_modality",
    ],
    [
      "images",
      { messages: [message, user(textPart("b"), { ...image, image_url: { url: "http://a.example/b" } })] },
      "messages[1].content[1].image_url.url",
      "invalid_image_url",
    ],
    [
      "text",
      { messages: [{ role: "user", content: "a" }], dimensions: 9 },
      "dimensions",
      "unsupported_parameter",
    ],
  ])("%s %j", async (name, body, param, code) => {
    const { status, error } = await embed({ model: name, ...body });

    expect([status, error]).toEqual([400, expect.objectContaining({ param, code })]);
    expect(context.upstream.received).toEqual([]);
  });
});
