import type { Schemas } from "@model-gateway/domain/operations";
import { beforeEach, describe, expect, test } from "vitest";
import { tokensPerImage } from "../../fake-upstream/contents.mjs";
import { createSolid } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import {
  content,
  dataUrl,
  expectedVector,
  imagePart,
  linkPart,
  sampleImages,
  textPart,
  tinyPng,
} from "./content-inputs.js";

const model = (keys: string, target: string, upstream = "fake") =>
  `{ type: embedding, dimensions: 8, tokenizer: cl100k_base, ${keys} targets: [{ upstream: ${upstream}, model: m, ${target} }] }`;
const context = suiteGateway(
  ({ baseUrl }) => `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  images: ${model("", "inputImages: true")}
  cached: ${model("cache: { ttl: 1h },", "inputImages: true")}
  chat: ${model("", "inputImages: { form: messages }")}
  text: ${model("", "")}
  apart: ${model("", "inputImages: { mixesParts: false }")}
  few: ${model("", "inputImages: { maxImagesPerInput: 2, maxImagesPerRequest: 3, maxImageBytes: 400 }")}
  png: ${model("", "inputImages: { imageTypes: [png] }")}
  priced: ${model("price: { perMillionTokens: 1000, perInputImage: 0.5 },", "inputImages: true")}
  one-of-two:
    type: embedding
    dimensions: 8
    targets: [{ upstream: gone, model: m, tier: 1 }, { upstream: fake, model: m, tier: 2, inputImages: true }]
`,
);
beforeEach(() => {
  context.upstream.follow({});
  context.upstream.received.length = 0;
});

type Embedded = Schemas["CreateEmbeddingResponse"];
type Refused = Schemas["ErrorResponse"];

const send = (body: object, init?: RequestInit) => context.gateway.sendJson("/v1/embeddings", body, init);
const embed = async (name: string, input: unknown) => {
  const response = await send({ model: name, input });
  const body = (await response.json()) as Embedded & Refused;
  return { response, body, vectors: (body.data ?? []).map(({ embedding }) => embedding) };
};

describe("an input with images", () => {
  test("has one vector, at its own position between texts and token ids", async () => {
    const [first, second] = await sampleImages(2);
    const input = [
      "a text",
      content(imagePart(first!), textPart("with a caption")),
      [791, 8415],
      content(imagePart(second!)),
      content(textPart("another text")),
      content(imagePart(second!), imagePart(first!)),
      "a text",
    ];

    const { response, vectors } = await embed("images", input);

    expect(response.status).toBe(200);
    expect(vectors).toEqual(input.map((one) => expectedVector(one)));
  });

  test("goes as one message of a chat, where the target says so", async () => {
    const images = await sampleImages(3);
    const input = images.map((image) => content(textPart("an image"), imagePart(image)));

    const { vectors } = await embed("chat", input);

    expect(vectors).toEqual(input.map((one) => expectedVector(one)));
    expect(context.upstream.received.map(({ body }) => Object.keys(body).toSorted())).toEqual(
      input.map(() => ["messages", "model"]),
    );
  });

  test("reports the tokens of both modalities, as the upstream does", async () => {
    const { body } = await embed("images", ["four", content(imagePart(tinyPng), textPart("three"))]);

    expect(body.usage).toEqual({
      prompt_tokens: 9 + tokensPerImage,
      total_tokens: 9 + tokensPerImage,
      prompt_tokens_details: { text_tokens: 9, image_tokens: tokensPerImage },
    });
  });

  test("is sent to targets that take images alone", async () => {
    const { response, vectors } = await embed("one-of-two", [content(imagePart(tinyPng))]);

    expect(response.headers.get("x-gateway-attempts")).toBe("1");
    expect(vectors).toEqual([expectedVector(content(imagePart(tinyPng)))]);
    expect(context.upstream.received).toHaveLength(1);
  });

  test("is converted where the upstream does not take its format, and the response says so", async () => {
    const [webp] = await sampleImages(1, "webp");

    const { response, vectors } = await embed("png", [
      content(imagePart(webp!, "webp"), textPart("a")),
      content(imagePart(tinyPng)),
    ]);

    expect([response.status, response.headers.get("x-gateway-converted-images")]).toEqual([200, "1"]);
    const [{ input }] = context.upstream.received.map(({ body }) => body as { input: unknown[] }) as [
      { input: unknown[] },
    ];
    expect(vectors).toEqual(input.map((one) => vectorOf(one, 8)));
    expect(JSON.stringify(input)).not.toContain("webp");
  });

  test("is cached by its bytes, whatever its URL says", async () => {
    const [image] = await sampleImages(1);
    const other = dataUrl(image!).replace("image/png", "image/jpeg");
    const first = ["kept", content(imagePart(image!), textPart("a"))];
    // The cache gets a vector after its response.
    const stateOf = async () => (await embed("cached", first)).response.headers.get("x-gateway-cache");
    await expect.poll(stateOf, { timeout: 90_000 }).toBe("hit");

    const again = await embed("cached", [content(linkPart(other), textPart("a")), "kept"]);
    const partly = await embed("cached", [
      content(imagePart(image!)),
      content(imagePart(image!), textPart("a")),
    ]);

    expect(again.response.headers.get("x-gateway-cache")).toBe("hit");
    expect(again.vectors[0]).toEqual(expectedVector(content(imagePart(image!), textPart("a"))));
    expect(partly.response.headers.get("x-gateway-cache")).toBe("partial");
    expect(again.body.usage.prompt_tokens_details).toBeUndefined();
  });

  test("is split by images, and each batch has its share", async () => {
    const images = await sampleImages(8);
    const input = images.map((image) => content(imagePart(image)));

    const { vectors } = await embed("few", input);

    expect(vectors).toEqual(input.map((one) => expectedVector(one)));
    const sizes = context.upstream.received.map(({ body }) => (body.input as unknown[]).length);
    expect(sizes.toSorted()).toEqual([2, 3, 3]);
  });

  test("is sent again in smaller batches, and texts keep theirs", async () => {
    context.upstream.follow({ always: { inputsMax: 2 } });
    const images = await sampleImages(5);
    const input = images.map((image) => content(imagePart(image)));

    const { vectors } = await embed("images", input);
    context.upstream.follow({});
    context.upstream.received.length = 0;
    await embed("images", ["a", "b", "c", "d", "e"]);

    expect(vectors).toEqual(input.map((one) => expectedVector(one)));
    expect(context.upstream.received).toHaveLength(1);
  });

  test("counts in limits and in the ledger, with its price", async () => {
    const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };
    const limits = { images_per_minute: 2 };
    const created = await context.gateway.sendJson("/admin/v1/keys", { name: "limited", limits }, admin);
    const { value, id } = (await created.json()) as Schemas["CreatedKey"];
    const init = { headers: { authorization: `Bearer ${value}` } };
    const input = [content(imagePart(tinyPng), textPart("12345")), content(imagePart(tinyPng)), "123"];

    const first = await send({ model: "priced", input }, init);
    await first.arrayBuffer();
    const second = await send({ model: "priced", input }, init);

    expect([first.status, first.headers.get("x-ratelimit-remaining-images")]).toEqual([200, "0"]);
    expect([second.status, ((await second.json()) as Refused).error.code]).toEqual([
      429,
      "rate_limit_exceeded",
    ]);
    const recorded = async () => {
      const records = await context.gateway.send(`/admin/v1/requests?key=${id}&status=200`, admin);
      return ((await records.json()) as Schemas["RequestList"]).data;
    };
    // Two images of half a dollar, and eight tokens of text.
    const usage = { images: 2, input_tokens: 8 + 2 * tokensPerImage, cost_usd: 1.008 };
    await expect.poll(recorded, { timeout: 90_000 }).toEqual([expect.objectContaining(usage)]);
  });
});

describe("an input that the model does not take is refused before an upstream is called:", () => {
  const tiny = imagePart(tinyPng);

  test.each([
    ["text", ["a", content(textPart("b"), tiny)], "input[1].content[1]", "unsupported_modality"],
    ["text", ["a", "b", content(tiny)], "input[2].content[0]", "unsupported_modality"],
    ["text", [content(textPart("a"), textPart("b"))], "input[0].content[1]", "unsupported_modality"],
    ["apart", [content(tiny, textPart("a"))], "input[0].content[1]", "unsupported_modality"],
    ["few", [content(tiny, tiny, tiny)], "input[0].content", "array_above_max_length"],
    ["images", [content(textPart(""), tiny)], "input[0].content[0].text", "empty_string"],
    ["images", [{ content: [] }], "input[0].content", "empty_array"],
    ["images", [{ content: [{ type: "text" }] }], "input[0].content[0].text", "missing_required_parameter"],
    ["images", [{ content: [{ type: "video", video: "" }] }], "input[0].content[0].type", "invalid_value"],
    [
      "images",
      ["a", { content: [{ type: "image_url" }] }],
      "input[1].content[0].image_url",
      "missing_required_parameter",
    ],
    [
      "images",
      ["a", { content: [{ type: "image_url", url: "" }] }],
      "input[1].content[0].url",
      "unknown_parameter",
    ],
    [
      "images",
      [{ content: [{ ...textPart("a"), image_url: { url: "" } }] }],
      "input[0].content[0].image_url",
      "unknown_parameter",
    ],
    ["images", [{ content: [{ type: "text", text: 5 }] }], "input[0].content[0].text", "invalid_type"],
    ["images", [{ content: [{ text: "a" }] }], "input[0].content[0].type", "missing_required_parameter"],
    [
      "images",
      [{ content: [{ ...textPart("a"), more: 1 }] }],
      "input[0].content[0].more",
      "unknown_parameter",
    ],
    ["images", [{ contents: [] }], "input[0].content", "missing_required_parameter"],
  ])("%s %j", async (name, input, param, code) => {
    const { response, body } = await embed(name, input);

    expect([response.status, body.error]).toEqual([400, expect.objectContaining({ param, code })]);
    expect(context.upstream.received).toEqual([]);
  });
});

describe("a hostile image is refused, and names its part:", () => {
  const png = (width: number, height: number) => {
    const head = Buffer.from(tinyPng);
    head.writeUInt32BE(width, 16);
    head.writeUInt32BE(height, 20);
    return head;
  };

  test.each<[string, string, string]>([
    [
      "an SVG",
      dataUrl(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")),
      "unsupported_file_mimetype",
    ],
    ["text", dataUrl(Buffer.from("hello")), "unsupported_file_mimetype"],
    ["nothing", "data:image/png;base64,", "unsupported_file_mimetype"],
    ["a broken header", dataUrl(png(5, 5)), "invalid_image_file"],
    ["half an image", dataUrl(tinyPng.subarray(0, 50)), "invalid_image_file"],
    ["a data URL without base64", "data:image/png,abc", "invalid_image_url"],
    ["http", "http://example.com/a.png", "invalid_image_url"],
    ["a file", "file:///etc/passwd", "invalid_image_url"],
    ["a private address", "https://10.0.0.1/a.png", "invalid_image_url"],
    ["this machine", "https://127.0.0.1/a.png", "invalid_image_url"],
    ["the metadata of a cloud", "https://169.254.169.254/latest/meta-data", "invalid_image_url"],
    ["a name without a dot", "https://localhost/a.png", "invalid_image_url"],
    ["an empty URL", "", "invalid_image_url"],
  ])("%s", async (_name, url, code) => {
    const { response, body } = await embed("images", ["a", content(textPart("b"), linkPart(url))]);

    const param = "input[1].content[1].image_url.url";
    expect([response.status, body.error]).toEqual([400, expect.objectContaining({ param, code })]);
    expect(context.upstream.received).toEqual([]);
  });

  test("a bomb: a small file with too many pixels", async () => {
    const bomb = await createSolid({ size: "9000x9000" });

    const { response, body } = await embed("images", [content(imagePart(bomb))]);

    expect([response.status, body.error.code]).toEqual([400, "invalid_image_file"]);
    expect(body.error.message).toContain("9000x9000");
  });

  test("an image with more bytes than the model takes", async () => {
    const large = await createSolid({ size: "400x400", output_format: "jpeg" });

    const { response, body } = await embed("few", [content(imagePart(large, "jpeg"))]);

    expect([response.status, body.error.code]).toEqual([400, "invalid_image_file"]);
    expect(body.error.message).toContain("the maximum for this model is 400");
  });

  test("a text that begins like a data URL has the limit of a text", async () => {
    const { response, body } = await embed("images", [`data:${"a".repeat(1_100_000)}`]);

    expect([response.status, body.error.code]).toEqual([400, "string_above_max_length"]);
  });

  test("a GIF", async () => {
    const gif = await createSolid({ size: "4x4", output_format: "gif" });

    const { body } = await embed("images", [
      content(linkPart(`data:image/gif;base64,${gif.toString("base64")}`)),
    ]);

    expect(body.error.code).toBe("unsupported_file_mimetype");
  });
});

test("a model lists what it takes", async () => {
  const capabilities = async (name: string) => {
    const response = await context.gateway.send(`/v1/models/${name}`);
    const { embedding } = (await response.json()) as Schemas["Model"];
    return [embedding?.input_modalities, embedding?.input_images];
  };

  expect(await capabilities("text")).toEqual([["text"], null]);
  expect(await capabilities("few")).toEqual([
    ["text", "image"],
    { max_per_input: 2, max_bytes: 400, mixes_parts: true },
  ]);
  expect(await capabilities("apart")).toEqual([
    ["text", "image"],
    { max_per_input: 1, max_bytes: 20_971_520, mixes_parts: false },
  ]);
});
