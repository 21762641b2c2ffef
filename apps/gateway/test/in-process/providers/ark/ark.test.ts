import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf } from "../paint-masked.js";
import type { StrictServer } from "../strict-server.js";
import { arkKey, refused, startFakeArk } from "./fake-ark.js";

describeEmbeddings({
  provider: "ark",
  pathPrefix: "/api/v3",
  start: startFakeArk,
  apiKey: arkKey,
  model: { name: "doubao-embedding-large-text-250515", native: 2048, short: 1024 },
  maxInputs: 256,
  batchRefusals: [],
  textsOf: (body) => (body as { input: string[] }).input,
  modelKeys: "    maxTokens: 100000",
  tooLong: "word ".repeat(4097).trim(),
  throttled: {
    ...refused(429, "RateLimitExceeded.EndpointRPMExceeded", "Too many requests."),
    headers: { "retry-after": "37" },
  },
  imageModel: "doubao-seedream-4-0-250828",
});

describe("images of ark", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  const { create, edit } = imageRequests(() => gateway);

  beforeAll(async () => {
    fake = await startFakeArk();
    const upstream = `{ provider: ark, baseUrl: "${fake.origin}/api/v3", apiKey: ${arkKey}, endpoints: { ep-paint: doubao-seedream-5-0-pro-260628 } }`;
    const model = (name: string, ...from: string[]) =>
      `{ type: image, targets: [${from.map((one) => `{ upstream: ${one}, model: ${name} }`).join(", ")}] }`;
    gateway = await startGateway(`
upstreams:
  host: ${upstream}
  spare: ${upstream}
  calm: ${upstream}
models:
  v4: ${model("doubao-seedream-4-0-250828", "host")}
  v45: ${model("doubao-seedream-4-5-251128", "host")}
  v5: ${model("doubao-seedream-5-0-260128", "host")}
  pro: ${model("doubao-seedream-5-0-pro-260628", "host")}
  own: ${model("ep-paint", "host")}
  two: ${model("doubao-seedream-5-0-260128", "calm", "spare")}
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

  const sent = { prompt: "a fox", response_format: "b64_json", watermark: false };

  test.each([
    ["v4", { size: "1280x720" }, { model: "doubao-seedream-4-0-250828", size: "1280x720" }],
    ["v45", { size: "auto" }, { model: "doubao-seedream-4-5-251128" }],
    ["v5", {}, { model: "doubao-seedream-5-0-260128", output_format: "png" }],
    ["pro", { output_format: "jpeg" }, { model: "doubao-seedream-5-0-pro-260628", output_format: "jpeg" }],
    ["own", { size: "2048x2048" }, { model: "ep-paint", size: "2048x2048", output_format: "png" }],
  ])("%s sends %j as %j", async (model, options, fields) => {
    await imagesOf(await create({ model, ...options }));

    expect(fake.bodies).toEqual([{ ...sent, ...fields }]);
  });

  test("three images are three calls, as links as well as in base64", async () => {
    const response = await create({ model: "v4", n: 3, response_format: "url", output_format: "webp" });

    const { data } = (await response.json()) as { data: { url: string }[] };
    const types = await Promise.all(
      data.map(async ({ url }) => (await fetch(url)).headers.get("content-type")),
    );
    expect(types).toEqual(Array(3).fill("image/webp"));
    expect(fake.bodies).toHaveLength(3);
  });

  test("one image to edit is a text, and several are a list", async () => {
    const image = await gradient(64, 64);
    const url = `data:image/png;base64,${image.toString("base64")}`;

    await imagesOf(await edit({ model: "v4", image }));
    await imagesOf(await edit({ model: "v4", "image[]": [image, image] }));

    expect(fake.bodies).toMatchObject([{ image: url }, { image: [url, url] }]);
  });

  test.each([
    [{ model: "v4", size: "1024x768" }, "unsupported_value", "size"],
    [{ model: "v5", size: "4096x4096" }, "unsupported_value", "size"],
    [{ model: "v4", size: "8192x256" }, "unsupported_value", "size"],
    [{ model: "v4", seed: 7 }, "unsupported_parameter", "seed"],
    [{ model: "v4", negative_prompt: "rain" }, "unsupported_parameter", "negative_prompt"],
    [{ model: "v4", quality: "high" }, "unsupported_value", "quality"],
    [{ model: "v4", background: "transparent" }, "unsupported_value", "background"],
    [{ model: "v4", moderation: "low" }, "unsupported_parameter", "moderation"],
  ])("%j is refused by name, and nothing is sent", async (body, code, param) => {
    expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
    expect(fake.bodies).toEqual([]);
  });

  test("a mask is refused", async () => {
    const [image, mask] = [await gradient(64, 64), await maskOf(64, 64, () => true)];

    expect(await errorOf(await edit({ model: "v4", image, mask }))).toMatchObject({
      status: 400,
      param: "mask",
    });
  });

  const blocked = { code: "OutputImageSensitiveContentDetected", message: "The image may be sensitive." };

  test.each([
    ["with status 400", refused(400, blocked.code, blocked.message)],
    ["in the place of the image", { body: { model: "m", data: [{ error: blocked }] } }],
    ["in the place of the reply", { body: { error: blocked } }],
  ])("moderation %s is the caller's 400, at one target alone", async (_place, reply) => {
    fake.scripted.push(reply);

    expect(await errorOf(await create({ model: "two" }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
      message: blocked.message,
    });
    // A second call would have reached the route.
    expect(fake.bodies).toEqual([]);
  });

  test.each([
    ["no image", { data: [] }],
    ["an empty image", { data: [{ b64_json: "" }] }],
    ["a link that was not asked for", { data: [{ url: "https://example.com/a.png" }] }],
    ["an image that is none", { data: [{ b64_json: "aGVsbG8=" }] }],
    ["an unknown error", { data: [{ error: { code: "InternalServiceError", message: "No." } }] }],
  ])("a reply with %s is not a success", async (_what, body) => {
    fake.scripted.push({ body });

    expect((await create({ model: "v5" })).status).toBe(502);
  });
});
