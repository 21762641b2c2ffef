import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf } from "../paint-masked.js";
import type { StrictServer } from "../strict-server.js";
import { refused, startFakeTogether, togetherKey } from "./fake-together.js";

describeEmbeddings({
  provider: "together",
  pathPrefix: "/v1",
  start: startFakeTogether,
  apiKey: togetherKey,
  model: { name: "intfloat/multilingual-e5-large-instruct", native: 1024, short: 512 },
  maxInputs: 300,
  batchRefusals: [],
  textsOf: (body) => (body as { input: string[] }).input,
  modelKeys: "    maxTokens: 100000",
  tooLong: "word ".repeat(515).trim(),
  throttled: { ...refused(429, "Too many requests."), headers: { "retry-after": "37" } },
  usage: "estimated",
  imageModel: "black-forest-labs/FLUX.1-schnell",
});

describe("images of together", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  const { create, edit } = imageRequests(() => gateway);

  beforeAll(async () => {
    fake = await startFakeTogether();
    const upstream = `{ provider: together, baseUrl: "${fake.origin}/v1", apiKey: ${togetherKey}, models: { Qwen/Qwen-Image: { input: { steps: 20 } } } }`;
    const model = (name: string, ...from: string[]) =>
      `{ type: image, targets: [${from.map((one) => `{ upstream: ${one}, model: ${name} }`).join(", ")}] }`;
    gateway = await startGateway(`
upstreams:
  host: ${upstream}
  spare: ${upstream}
  calm: ${upstream}
models:
  flux-2: ${model("black-forest-labs/FLUX.2-pro", "host")}
  schnell: ${model("black-forest-labs/FLUX.1-schnell", "host")}
  kontext: ${model("black-forest-labs/FLUX.1-kontext-pro", "host")}
  google: ${model("google/gemini-3-pro-image", "host")}
  own: ${model("Qwen/Qwen-Image", "host")}
  two: ${model("black-forest-labs/FLUX.1-schnell", "calm", "spare")}
`);
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });
  beforeEach(() => {
    fake.bodies.length = 0;
    fake.scripted.length = 0;
  });

  const sent = { prompt: "a fox", response_format: "base64" };

  test.each([
    [
      "flux-2",
      { size: "1024x768", seed: 7 },
      {
        model: "black-forest-labs/FLUX.2-pro",
        n: 1,
        width: 1024,
        height: 768,
        seed: 7,
        output_format: "png",
        prompt_upsampling: false,
      },
    ],
    [
      "schnell",
      { n: 3, negative_prompt: "rain" },
      { model: "black-forest-labs/FLUX.1-schnell", n: 3, negative_prompt: "rain" },
    ],
    ["google", { size: "auto" }, { model: "google/gemini-3-pro-image" }],
    // The operator's own fields.
    ["own", {}, { model: "Qwen/Qwen-Image", steps: 20 }],
  ])("%s sends %j as %j", async (model, options, fields) => {
    const images = await imagesOf(await create({ model, ...options }));

    expect(images).toHaveLength("n" in options ? options.n : 1);
    expect(fake.bodies).toEqual([{ ...sent, ...fields }]);
  });

  test("six images are two calls with different seeds, as links as well as in base64", async () => {
    const response = await create({ model: "schnell", n: 6, seed: 5, response_format: "url" });

    const { data } = (await response.json()) as { data: { url: string }[] };
    expect((await fetch(data[5]?.url ?? "")).headers.get("content-type")).toBe("image/jpeg");
    expect(fake.bodies).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ n: 4, seed: 5 }),
        expect.objectContaining({ n: 2, seed: 9 }),
      ]),
    );
  });

  test("an image to edit is a data URL", async () => {
    const image = await gradient(64, 64);

    await imagesOf(await edit({ model: "kontext", image, size: "1024x1024" }));

    expect(fake.bodies).toMatchObject([
      { image_url: `data:image/png;base64,${image.toString("base64")}`, width: 1024, height: 1024 },
    ]);
  });

  test.each([
    [{ model: "schnell", size: "1001x1024" }, "unsupported_value", "size"],
    [{ model: "google", seed: 7 }, "unsupported_parameter", "seed"],
    [{ model: "flux-2", negative_prompt: "rain" }, "unsupported_parameter", "negative_prompt"],
    [{ model: "schnell", quality: "high" }, "unsupported_value", "quality"],
    [{ model: "schnell", background: "transparent" }, "unsupported_value", "background"],
    [{ model: "schnell", moderation: "low" }, "unsupported_parameter", "moderation"],
    [{ model: "own", size: "1024x1024" }, "unsupported_value", "size"],
  ])("%j is refused by name, and nothing is sent", async (body, code, param) => {
    expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
    expect(fake.bodies).toEqual([]);
  });

  test("a mask, several images, and an edit by a model without edits are refused", async () => {
    const [image, mask] = [await gradient(64, 64), await maskOf(64, 64, () => true)];

    for (const [fields, param] of [
      [{ model: "kontext", image, mask }, "mask"],
      [{ model: "kontext", "image[]": [image, image] }, "image"],
      [{ model: "schnell", image }, "model"],
    ] as const)
      expect(await errorOf(await edit(fields))).toMatchObject({ status: 400, param });
    expect(fake.bodies).toEqual([]);
  });

  test("moderation is the caller's 400, at one target alone", async () => {
    fake.scripted.push(refused(422, "NSFW content detected in the image."));

    expect(await errorOf(await create({ model: "two" }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
    });
    expect(fake.bodies).toEqual([]);
  });

  test.each([
    ["an error", { error: { message: "No.", type: "server_error" } }],
    ["no images", { data: [] }],
    ["an empty link", { data: [{ index: 0, url: "", type: "url" }] }],
    ["data that is not an image", { data: [{ index: 0, b64_json: "aGVsbG8=", type: "b64_json" }] }],
  ])("a reply of status 200 with %s is not a success", async (_what, body) => {
    fake.scripted.push({ body });

    expect((await create({ model: "google", n: 1 })).status).toBe(502);
  });

  test("fewer images than requested are a failure", async () => {
    const b64_json = (await gradient(8, 8)).toString("base64");
    fake.scripted.push({ body: { data: [{ index: 0, b64_json, type: "b64_json" }] } });

    expect(await errorOf(await create({ model: "kontext", n: 2 }))).toMatchObject({
      status: 502,
      code: "upstream_invalid_reply",
    });
  });
});
