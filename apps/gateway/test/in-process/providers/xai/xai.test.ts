import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf } from "../paint-masked.js";
import type { StrictServer } from "../strict-server.js";
import { startFakeXai, xaiKey } from "./fake-xai.js";

let fake: StrictServer;
let gateway: InProcessGateway;
const { create, edit } = imageRequests(() => gateway);
const rowOf = (response: Response) => new AdminClient(gateway.url).rowOf(response);

beforeAll(async () => {
  fake = await startFakeXai();
  const upstream = (key: string) => `{ provider: xai, baseUrl: "${fake.origin}/v1", apiKey: ${key} }`;
  const model = (name: string, from = "xai") =>
    `{ type: image, retries: { max: 0 }, targets: [{ upstream: ${from}, model: ${name} }] }`;
  gateway = await startGateway(`upstreams:
  xai: ${upstream(xaiKey)}
  slow: ${upstream(xaiKey)}
  wrong: ${upstream("xai-wrong")}
models:
  grok: ${model("grok-imagine-image")}
  grok-2: ${model("grok-imagine-image-2.0")}
  throttled: ${model("grok-imagine-image", "slow")}
  wrong-key: ${model("grok-imagine-image", "wrong")}
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});
beforeEach(() => {
  fake.bodies.length = 0;
});

test("two images are one call, and the ledger has xAI's own figure: 400,000,000 ticks are $0.04", async () => {
  const response = await create({ model: "grok", n: 2, size: "1536x1024", user: "someone" });

  expect(await imagesOf(response.clone())).toHaveLength(2);
  expect(fake.bodies).toEqual([
    {
      model: "grok-imagine-image",
      prompt: "a fox",
      n: 2,
      response_format: "b64_json",
      aspect_ratio: "3:2",
      user: "someone",
    },
  ]);
  expect(await rowOf(response)).toMatchObject({ images: 2, cost_usd: 0.04 });
});

test.each([
  ["auto", {}],
  ["1024x1024", { aspect_ratio: "1:1" }],
  ["1080x1920", { aspect_ratio: "9:16" }],
  ["2048x2048", { aspect_ratio: "1:1", resolution: "2k" }],
])("the size %s is %j", async (size, shape) => {
  await imagesOf(await create({ model: "grok", size }));

  const base = { model: "grok-imagine-image", prompt: "a fox", response_format: "b64_json" };
  expect(fake.bodies).toEqual([{ ...base, ...shape }]);
});

test("one image of an edit and several go to the path of edits, under their own names", async () => {
  const image = await gradient(16, 16);
  const reference = { type: "image_url", url: `data:image/png;base64,${image.toString("base64")}` };

  await imagesOf(await edit({ model: "grok", image }));
  await imagesOf(await edit({ model: "grok-2", image: [image, image, image, image, image] }));

  expect(fake.bodies).toMatchObject([{ image: reference }, { images: Array(5).fill(reference) }]);
});

test.each([
  [{ size: "1000x1000" }, "size"],
  [{ quality: "high" }, "quality"],
  [{ background: "transparent" }, "background"],
  [{ seed: 1 }, "seed"],
  [{ style: "natural" }, "style"],
])("%j is refused by name, and nothing is sent", async (body, param) => {
  expect(await errorOf(await create({ model: "grok", ...body }))).toMatchObject({ status: 400, param });
  expect(fake.bodies).toEqual([]);
});

test("an edit refuses a mask, a size, and more images than the model takes", async () => {
  const image = await gradient(16, 16);
  const mask = await maskOf(16, 16, () => true);

  expect(await errorOf(await edit({ model: "grok", image, mask }))).toMatchObject({
    status: 400,
    param: "mask",
  });
  expect(await errorOf(await edit({ model: "grok", image, size: "1024x1024" }))).toMatchObject({
    status: 400,
    param: "size",
  });
  expect(await errorOf(await edit({ model: "grok", image: Array(4).fill(image) }))).toMatchObject({
    status: 400,
    param: "image",
  });
  expect(fake.bodies).toEqual([]);
});

test.each(["a forbidden fox", "a blocked fox"])("moderation of %j is the caller's 400", async (prompt) => {
  expect(await errorOf(await create({ model: "grok", prompt }))).toMatchObject({
    status: 400,
    code: "moderation_blocked",
  });
  expect((await create({ model: "grok" })).status).toBe(200);
});

test.each([
  ["no images", { data: [] }, "upstream_invalid_reply"],
  ["an empty link", { data: [{ url: "" }] }, "upstream_invalid_reply"],
  ["an error's text", { code: "internal", error: "The model is busy." }, "upstream_error"],
  ["an error", { error: { message: "No.", type: "server_error" } }, "upstream_error"],
])("a reply of 200 with %s is not a success", async (_name, body, code) => {
  fake.scripted.push({ body });

  expect(await errorOf(await create({ model: "grok" }))).toMatchObject({ status: 502, code });
});

test("fewer images than requested are not a success", async () => {
  const one = { b64_json: (await gradient(8, 8)).toString("base64") };
  fake.scripted.push({ body: { data: [one] } });

  const response = await create({ model: "grok", n: 2 });

  expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_invalid_reply" });
});

test("throttling keeps its wait, and a refused key is the gateway's own fault", async () => {
  fake.scripted.push({ status: 429, headers: { "retry-after": "37" }, body: { error: "Too many requests" } });

  const throttled = await create({ model: "throttled" });
  const refused = await errorOf(await create({ model: "wrong-key" }));

  expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "37"]);
  expect(refused).toMatchObject({ status: 502, code: "upstream_auth_error" });
  expect(JSON.stringify(refused)).not.toContain("xai-wrong");
});
