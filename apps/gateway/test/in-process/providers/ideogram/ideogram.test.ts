import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import type { FormServer } from "../form-server.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import { ideogramKey, startFakeIdeogram } from "./fake-ideogram.js";

let fake: FormServer;
let gateway: InProcessGateway;
const { create, edit } = imageRequests(() => gateway);

beforeAll(async () => {
  fake = await startFakeIdeogram();
  const upstream = (key: string) =>
    `{ provider: ideogram, baseUrl: "${fake.origin}", apiKey: ${key}, allowPrivateUrls: true }`;
  const model = (name: string, ...from: string[]) =>
    `{ type: image, targets: [${from.map((one) => `{ upstream: ${one}, model: ${name}, price: { perImage: 0.06 } }`).join(", ")}] }`;
  gateway = await startGateway(`
upstreams:
  host: ${upstream(ideogramKey)}
  calm: ${upstream(ideogramKey)}
  spare: ${upstream(ideogramKey)}
  throttled: ${upstream(ideogramKey)}
  wrong-key: ${upstream("wrong")}
models:
  v3: ${model("ideogram-v3", "host")}
  v4: ${model("ideogram-v4", "host")}
  two: ${model("ideogram-v3", "calm", "spare")}
  throttled: ${model("ideogram-v3", "throttled")}
  wrong-key: ${model("ideogram-v3", "wrong-key")}
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});
beforeEach(() => {
  fake.received.length = 0;
  fake.scripted.length = 0;
});

const sent = () => fake.received.map(({ path, body }) => [path, body]);
const safe = (url: string) => ({ url, is_image_safe: true });

test.each([
  [
    { model: "v3", size: "1312x736", quality: "high", seed: 0, negative_prompt: "rain" },
    "/v1/ideogram-v3/generate",
    {
      prompt: "a fox",
      resolution: "1312x736",
      rendering_speed: "QUALITY",
      magic_prompt: "OFF",
      num_images: "1",
      seed: "0",
      negative_prompt: "rain",
    },
  ],
  [
    { model: "v3", n: 3 },
    "/v1/ideogram-v3/generate",
    { prompt: "a fox", magic_prompt: "OFF", num_images: "3" },
  ],
  [
    { model: "v4", size: "2048x2048", quality: "low" },
    "/v1/ideogram-v4/generate",
    { text_prompt: "a fox", resolution: "2048x2048", rendering_speed: "TURBO" },
  ],
])("%j is a form to %s with %j", async (body, path, fields) => {
  const images = await imagesOf(await create(body));

  expect(images).toHaveLength("n" in body ? body.n : 1);
  expect(sent()).toEqual([[path, fields]]);
  if ("size" in body) {
    const { width, height, format } = await sharp(images[0]).metadata();
    expect([`${width}x${height}`, format]).toEqual([body.size, "png"]);
  }
});

test("nine images are two calls with different seeds, as links as well as in base64", async () => {
  const response = await create({
    model: "v3",
    n: 9,
    seed: 5,
    response_format: "url",
    output_format: "webp",
  });

  const { data } = (await response.json()) as { data: { url: string }[] };
  expect((await fetch(data[8]?.url ?? "")).headers.get("content-type")).toBe("image/webp");
  expect(fake.received.map(({ body }) => [body.num_images, body.seed]).sort()).toEqual([
    ["1", "13"],
    ["8", "5"],
  ]);
});

test("exactly the transparent pixels of a mask are edited, which are black there", async () => {
  const [width, height] = [80, 64];
  const original = await gradient(width, height);
  const isEdited = (x: number, y: number) => x >= 10 && x < 33 && y % 9 < 4;

  const mask = await maskOf(width, height, isEdited);
  const [edited] = await imagesOf(await edit({ model: "v3", image: original, mask }));

  const before = await rgbOf(original);
  expect(await rgbOf(edited)).toEqual(
    before.map((pixel, at) => (isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel)),
  );
  expect(fake.received[0]?.path).toBe("/v1/ideogram-v3/inpaint");
});

test("an image without a mask is remixed as a whole", async () => {
  const image = await gradient(64, 64);

  await imagesOf(await edit({ model: "v3", image, size: "1024x1024" }));

  expect(fake.received[0]?.path).toBe("/v1/ideogram-v3/remix");
  expect(fake.received[0]?.parts.find(({ name }) => name === "image")?.content).toEqual(image);
});

test.each([
  [{ model: "v3", size: "1000x1000" }, "unsupported_value", "size"],
  [{ model: "v4", size: "1024x1024" }, "unsupported_value", "size"],
  [{ model: "v3", quality: "max" }, "unsupported_value", "quality"],
  [{ model: "v3", seed: 2_147_483_648 }, "unsupported_value", "seed"],
  [{ model: "v4", seed: 1 }, "unsupported_parameter", "seed"],
  [{ model: "v3", background: "transparent" }, "unsupported_value", "background"],
  [{ model: "v3", moderation: "low" }, "unsupported_parameter", "moderation"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
  expect(fake.received).toEqual([]);
});

test("options that an edit with a mask lacks, and edits that a model lacks, are refused", async () => {
  const [image, mask] = [await gradient(64, 64), await maskOf(64, 64, () => true)];

  for (const [fields, param] of [
    [{ model: "v3", image, mask, size: "1024x1024" }, "size"],
    [{ model: "v3", image, mask, negative_prompt: "rain" }, "negative_prompt"],
    [{ model: "v3", "image[]": [image, image] }, "image"],
    [{ model: "v4", image }, "model"],
  ] as const)
    expect(await errorOf(await edit(fields))).toMatchObject({ status: 400, param });
  expect(fake.received).toEqual([]);
});

test("a prompt that fails the safety checks is the caller's 400, at one target alone", async () => {
  expect(await errorOf(await create({ model: "two", prompt: "a forbidden fox" }))).toMatchObject({
    status: 400,
    code: "moderation_blocked",
  });
  expect(fake.received).toHaveLength(1);
});

test.each([null, ""])(
  "an image that is not safe has the link %j in a 200, and may be billed",
  async (url) => {
    fake.scripted.push({ body: { data: [{ url, is_image_safe: false }] } });

    const response = await create({ model: "two" });

    expect(await errorOf(response)).toMatchObject({ status: 400, code: "moderation_blocked" });
    expect(fake.received).toHaveLength(1);
    expect(await new AdminClient(gateway.url).rowOf(response)).toMatchObject({ images: 0, cost_usd: null });
  },
);

test("one unsafe image of two is a failure, unless the caller accepts fewer", async () => {
  await imagesOf(await create({ model: "v3" }));
  const data = [safe(`${fake.origin}/results/r0.png`), { url: null, is_image_safe: false }];
  fake.scripted.push({ body: { data } }, { body: { data } });

  expect(await errorOf(await create({ model: "v3", n: 2 }))).toMatchObject({
    status: 502,
    code: "upstream_invalid_reply",
  });
  const headers = { "x-gateway-partial": "allow" };
  expect(await imagesOf(await create({ model: "v3", n: 2 }, { headers }))).toHaveLength(1);
});

test.each([
  ["no images", { data: [] }],
  ["an error", { error: "No." }],
  ["an empty link", { data: [safe("")] }],
  ["a link to another host", { data: [safe("https://ideogram.ai.example.com/a.png")] }],
  ["a link that has expired", { data: [safe("/results/gone")] }],
])("a reply of status 200 with %s is not a success", async (_what, body) => {
  fake.scripted.push({ body });

  expect(await errorOf(await create({ model: "v4" }))).toMatchObject({
    status: 502,
    code: "upstream_invalid_reply",
  });
});

test("a throttled call says when it may be repeated, a refused key is the gateway's own fault", async () => {
  fake.scripted.push({ status: 429, body: { error: "Too many requests" }, headers: { "retry-after": "41" } });

  const throttled = await create({ model: "throttled" });

  expect(throttled.status).toBe(429);
  expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(35);
  expect(await errorOf(await create({ model: "wrong-key" }))).toMatchObject({ code: "upstream_auth_error" });
});
