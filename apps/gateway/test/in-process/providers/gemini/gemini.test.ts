import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import { gradient, maskOf } from "../paint-masked.js";
import type { StrictServer } from "../strict-server.js";
import { geminiKey, startFakeGemini } from "./fake-gemini.js";
import { googleError } from "./fake-generate-content.js";

describeEmbeddings({
  provider: "gemini",
  pathPrefix: "/v1beta",
  start: startFakeGemini,
  apiKey: geminiKey,
  model: { name: "gemini-embedding-2", native: 3072, short: 768 },
  maxInputs: 100,
  batchRefusals: [
    {
      reply: googleError(400, {
        word: "INVALID_ARGUMENT",
        message: "* BatchEmbedContentsRequest.requests: at most 2 requests can be in one batch\n",
      }),
      sizes: [2, 2, 1],
    },
  ],
  textsOf: (body) =>
    (body as { requests: { content: { parts: { text: string }[] } }[] }).requests.map(
      ({ content }) => content.parts[0]?.text ?? "",
    ),
  tooLong: "x".repeat(8 * 8193),
  throttled: googleError(429, {
    word: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota.",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "36.4s" }],
  }),
  imageModel: "gemini-nano-banana-2.1",
});

let fake: StrictServer;
let gateway: InProcessGateway;
beforeAll(async () => {
  fake = await startFakeGemini();
  const upstream = (key: string) => `{ provider: gemini, baseUrl: "${fake.origin}/v1beta", apiKey: ${key} }`;
  gateway = await startGateway(`
upstreams:
  gemini: ${upstream(geminiKey)}
  wrong: ${upstream("wrong-secret")}
models:
  embed: { type: embedding, targets: [{ upstream: gemini, model: gemini-embedding-001 }] }
  draw: { type: image, targets: [{ upstream: gemini, model: gemini-nano-banana-2.1 }] }
  large: { type: image, targets: [{ upstream: gemini, model: gemini-3-pro-image }] }
  wrong: { type: image, targets: [{ upstream: wrong, model: gemini-nano-banana-2.1 }] }
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});
beforeEach(() => {
  fake.bodies.length = 0;
});

const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: object }).error,
});

describe("embeddings", () => {
  const embed = (body: object) => gateway.sendJson("/v1/embeddings", { model: "embed", ...body });
  const requestOf = (taskType: string | undefined) => ({
    model: "models/gemini-embedding-001",
    content: { parts: [{ text: "a" }] },
    ...(taskType === undefined ? {} : { taskType }),
  });

  test.each([
    [undefined, undefined],
    ["query", "RETRIEVAL_QUERY"],
    ["similarity", "SEMANTIC_SIMILARITY"],
    ["QUESTION_ANSWERING", "QUESTION_ANSWERING"],
  ])("the input type %s is sent as %s", async (input_type, taskType) => {
    expect((await embed({ input: "a", input_type, user: "u" })).status).toBe(200);

    expect(fake.bodies).toEqual([{ requests: [requestOf(taskType)] }]);
  });

  test("a model that reports no usage has an estimate", async () => {
    const { usage } = (await (await embed({ input: "some words of a text" })).json()) as {
      usage: { prompt_tokens: number };
    };

    expect(usage.prompt_tokens).toBeGreaterThan(0);
  });

  test("a vector has no line breaks from Google's reply", async () => {
    const text = await (await embed({ input: "a", encoding_format: "float" })).text();

    expect(text).toMatch(/"embedding":\[[-\d.,e]+\]/);
  });

  test("a long text that fits is counted, and embedded", async () => {
    const text = "x".repeat(8 * 2048);

    expect((await embed({ input: ["short", text] })).status).toBe(200);
    expect(fake.bodies[0]).toEqual({ contents: [{ parts: [{ text }] }] });
    expect(fake.bodies).toHaveLength(2);
  });

  test("a text with one token too many is not sent", async () => {
    const error = await errorOf(await embed({ input: ["short", "x".repeat(8 * 2048 + 1)] }));

    expect(error).toMatchObject({ status: 400, code: "context_length_exceeded", param: "input[1]" });
    expect(fake.bodies).toHaveLength(1);
  });
});

describe("images", () => {
  const create = (body: object) =>
    gateway.sendJson("/v1/images/generations", { model: "draw", prompt: "a fox", ...body });
  const edit = (fields: Readonly<Record<string, string | readonly Buffer[]>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: "draw", prompt: "a hat", ...fields }))
      for (const one of typeof value === "string" ? [value] : value)
        typeof one === "string"
          ? form.append(name, one)
          : form.append(name, new Blob([new Uint8Array(one)], { type: "image/png" }), "a.png");
    return gateway.send("/v1/images/edits", { method: "POST", body: form });
  };
  const contentOf = (imageConfig: object | undefined, ...images: object[]) => ({
    contents: [{ role: "user", parts: [{ text: "a fox" }, ...images] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      ...(imageConfig === undefined ? {} : { imageConfig }),
    },
  });

  test.each([
    ["draw", "auto", undefined, [8, 8]],
    ["draw", "1536x1024", { aspectRatio: "3:2" }, [24, 16]],
    ["draw", "1024x1280", { aspectRatio: "4:5" }, [32, 40]],
    ["draw", "1920x1080", { aspectRatio: "16:9" }, [128, 72]],
    ["large", "3072x2048", { aspectRatio: "3:2", imageSize: "2K" }, [24, 16]],
    ["large", "4096x4096", { aspectRatio: "1:1", imageSize: "4K" }, [8, 8]],
  ] as const)("%s with the size %s", async (model, size, imageConfig, [width, height]) => {
    const response = await create({ model, size });

    const { data, usage } = (await response.json()) as { data: { b64_json: string }[]; usage: object };
    expect(fake.bodies).toEqual([contentOf(imageConfig)]);
    expect(await sharp(Buffer.from(data[0]?.b64_json ?? "", "base64")).metadata()).toMatchObject({
      width,
      height,
    });
    expect(usage).toMatchObject({ input_tokens: 10, output_tokens: 1390, total_tokens: 1400 });
  });

  test.each([
    // The response states the received format, or is converted to the requested one.
    [undefined, "jpeg"],
    ["png", "png"],
  ])("an image that comes as jpeg, with the output format %s, is %s", async (output_format, format) => {
    const response = await create({ size: "1920x1080", output_format });

    const body = (await response.json()) as { output_format: string; data: { b64_json: string }[] };
    expect(body.output_format).toBe(format);
    expect((await sharp(Buffer.from(body.data[0]?.b64_json ?? "", "base64")).metadata()).format).toBe(format);
  });

  test("three images are three calls", async () => {
    const { data } = (await (await create({ n: 3 })).json()) as { data: object[] };

    expect(data).toHaveLength(3);
    expect(fake.bodies).toHaveLength(3);
  });

  test("the images of an edit are sent as they are", async () => {
    const images = await Promise.all([gradient(8, 8), gradient(5, 7)]);

    const response = await edit({ "image[]": images, prompt: "a fox" });

    const { data, usage } = (await response.json()) as { data: { b64_json: string }[]; usage: object };
    const parts = images.map((image) => ({
      inlineData: { mimeType: "image/png", data: image.toString("base64") },
    }));
    expect(fake.bodies).toEqual([contentOf(undefined, ...parts)]);
    expect(data[0]?.b64_json).toBe(images[0]?.toString("base64"));
    expect(usage).toMatchObject({ input_tokens_details: { text_tokens: 10, image_tokens: 516 } });
  });

  test("options that the models do not have are refused by name, and nothing is sent", async () => {
    const image = await gradient(8, 8);
    const mask = await maskOf(8, 8, () => true);

    const refusals = [
      await edit({ image: [image], mask: [mask] }),
      await edit({ "image[]": Array(15).fill(image) }),
      await create({ size: "1000x1000" }),
      await create({ quality: "high" }),
      await create({ background: "transparent" }),
      await create({ seed: 7 }),
    ];

    const errors = await Promise.all(refusals.map(errorOf));
    expect(errors.map(({ status, ...error }) => [status, (error as { param?: string }).param])).toEqual([
      [400, "mask"],
      [400, expect.stringContaining("image")],
      [400, "size"],
      [400, "quality"],
      [400, "background"],
      [400, "seed"],
    ]);
    expect(fake.bodies).toEqual([]);
  });

  test.each(["a blocked prompt", "a blocked image"])("%s is the caller's 400, once", async (prompt) => {
    expect(await errorOf(await create({ prompt }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
    });
    expect(fake.bodies).toHaveLength(1);
    expect((await create({})).status).toBe(200);
  });

  test("a reply without an image is the upstream's failure", async () => {
    expect(await errorOf(await create({ model: "large", prompt: "no image" }))).toMatchObject({
      status: 502,
    });
    expect(fake.bodies).toHaveLength(1);
  });

  test("a refused key is the gateway's fault", async () => {
    expect(await errorOf(await create({ model: "wrong" }))).toMatchObject({
      status: 502,
      code: "upstream_auth_error",
    });
    expect(gateway.logLines.join("")).not.toContain("wrong-secret");
  });
});
