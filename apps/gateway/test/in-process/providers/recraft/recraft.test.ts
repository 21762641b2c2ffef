import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import type { FormServer } from "../form-server.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import { recraftKey, refused, startFakeRecraft } from "./fake-recraft.js";

let fake: FormServer;
let gateway: InProcessGateway;
const { create, edit } = imageRequests(() => gateway);

beforeAll(async () => {
  fake = await startFakeRecraft();
  const upstream = (key: string, more = "") =>
    `{ provider: recraft, baseUrl: "${fake.origin}/v1", apiKey: ${key}${more} }`;
  const model = (name: string, ...from: string[]) =>
    `{ type: image, targets: [${from.map((one) => `{ upstream: ${one}, model: ${name} }`).join(", ")}] }`;
  gateway = await startGateway(`
upstreams:
  host: ${upstream(recraftKey, ", strength: 0.2")}
  calm: ${upstream(recraftKey)}
  spare: ${upstream(recraftKey)}
  throttled: ${upstream(recraftKey)}
  wrong-key: ${upstream("wrong")}
models:
  v4: ${model("recraftv4_1", "host")}
  pro: ${model("recraftv4_1_pro", "host")}
  vector: ${model("recraftv4_1_vector", "host")}
  v3: ${model("recraftv3", "host")}
  two: ${model("recraftv4_1", "calm", "spare")}
  throttled: ${model("recraftv4_1", "throttled")}
  wrong-key: ${model("recraftv4_1", "wrong-key")}
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

const sent = { prompt: "a fox", n: 1, response_format: "b64_json" };

test.each([
  [
    { model: "v4", size: "1344x768" },
    { model: "recraftv4_1", size: "1344x768" },
  ],
  [
    { model: "pro", size: "2688x1536", n: 2 },
    { model: "recraftv4_1_pro", size: "2688x1536", n: 2 },
  ],
  [
    { model: "v3", negative_prompt: "rain" },
    { model: "recraftv3", negative_prompt: "rain" },
  ],
])("%j is sent as %j", async (body, fields) => {
  await imagesOf(await create(body));

  expect(fake.received.map((one) => one.body)).toEqual([{ ...sent, ...fields }]);
});

test("eight images are two calls, as links as well as in base64, and cost what the service reports", async () => {
  const response = await create({ model: "v4", n: 8, response_format: "url", output_format: "webp" });

  const { data } = (await response.json()) as { data: { url: string }[] };
  expect((await fetch(data[7]?.url ?? "")).headers.get("content-type")).toBe("image/webp");
  expect(fake.received.map(({ body }) => body.n).sort()).toEqual([2, 6]);
  expect(await new AdminClient(gateway.url).rowOf(response)).toMatchObject({ images: 8, cost_usd: 0.32 });
});

test("a vector model creates an svg image", async () => {
  const [image] = await imagesOf(await create({ model: "vector" }));

  expect((await sharp(image).metadata()).format).toBe("svg");
});

test("exactly the transparent pixels of a mask are edited, which are white there", async () => {
  const [width, height] = [80, 64];
  const original = await gradient(width, height);
  const isEdited = (x: number, y: number) => x >= 10 && x < 33 && y % 9 < 4;

  const mask = await maskOf(width, height, isEdited);
  const [edited] = await imagesOf(await edit({ model: "v3", image: original, mask }));

  const before = await rgbOf(original);
  expect(await rgbOf(edited)).toEqual(
    before.map((pixel, at) => (isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel)),
  );
  expect(fake.received[0]?.path).toBe("/v1/images/inpaint");
});

test("an image without a mask is changed as a whole, with the operator's strength", async () => {
  const image = await gradient(64, 64);

  await imagesOf(await edit({ model: "v4", image }));

  expect(fake.received).toMatchObject([
    { path: "/v1/images/imageToImage", body: { prompt: "a hat", model: "recraftv4_1", strength: "0.2" } },
  ]);
});

test.each([
  [{ model: "v4", size: "1000x1000" }, "unsupported_value", "size"],
  [{ model: "v4", negative_prompt: "rain" }, "unsupported_parameter", "negative_prompt"],
  [{ model: "v3", prompt: "f".repeat(1001) }, "string_above_max_length", "prompt"],
  [{ model: "v4", seed: 1 }, "unsupported_parameter", "seed"],
  [{ model: "v4", quality: "high" }, "unsupported_value", "quality"],
  [{ model: "v4", background: "transparent" }, "unsupported_value", "background"],
  [{ model: "vector", output_format: "png" }, "unsupported_value", "output_format"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
  expect(fake.received).toEqual([]);
});

test("a mask, a size and an edit are refused where there are none", async () => {
  const [image, mask] = [await gradient(64, 64), await maskOf(64, 64, () => true)];

  for (const [fields, param] of [
    [{ model: "v4", image, mask }, "mask"],
    [{ model: "v4", image, size: "1024x1024" }, "size"],
    [{ model: "vector", image }, "model"],
  ] as const)
    expect(await errorOf(await edit(fields))).toMatchObject({ status: 400, param });
  expect(fake.received).toEqual([]);
});

test("a refusal of the content is the caller's 400, with the service's message, at one target alone", async () => {
  fake.scripted.push(refused(400, "nsfw_content", "The prompt is inappropriate."));

  expect(await errorOf(await create({ model: "two" }))).toMatchObject({
    status: 400,
    code: "upstream_rejected",
    message: "The prompt is inappropriate.",
  });
  expect(fake.received).toHaveLength(1);
});

test.each([
  ["an error", { error: { message: "No.", code: "internal" } }],
  ["no images", { data: [] }],
  ["an empty link", { data: [{ url: "" }] }],
  ["data that is not an image", { data: [{ b64_json: "aGVsbG8=" }] }],
])("a reply of status 200 with %s is not a success", async (_what, body) => {
  fake.scripted.push({ body });

  expect((await create({ model: "pro" })).status).toBe(502);
});

test("fewer images than requested are a failure", async () => {
  const b64_json = (await gradient(8, 8)).toString("base64");
  fake.scripted.push({ body: { created: 1, credits: 40, data: [{ b64_json }] } });

  expect(await errorOf(await create({ model: "v3", n: 2 }))).toMatchObject({
    status: 502,
    code: "upstream_invalid_reply",
  });
});

test("a throttled call says when it may be repeated, a refused key is the gateway's own fault", async () => {
  const reply = refused(429, "rate_limit_exceeded", "Slow down.");
  fake.scripted.push({ ...reply, headers: { "retry-after": "41" } });

  const throttled = await create({ model: "throttled" });

  expect(throttled.status).toBe(429);
  expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(35);
  expect(await errorOf(await create({ model: "wrong-key" }))).toMatchObject({ code: "upstream_auth_error" });
});
