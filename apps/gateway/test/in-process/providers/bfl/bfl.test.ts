import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import { bflKey, type FakeBfl, startFakeBfl } from "./fake-bfl.js";

let fake: FakeBfl;
let gateway: InProcessGateway;

beforeAll(async () => {
  fake = await startFakeBfl();
  const upstream = (apiKey: string, more = "") =>
    `{ provider: bfl, baseUrl: "${fake.baseUrl}", apiKey: ${apiKey}, allowPrivateUrls: true${more} }`;
  const model = (name: string, from = "bfl") =>
    `{ type: image, targets: [{ upstream: ${from}, model: ${name}, price: { perImage: 0.04 } }] }`;
  gateway = await startGateway(`
upstreams:
  bfl: ${upstream(bflKey)}
  spare: ${upstream(bflKey)}
  wrong-key: ${upstream("wrong")}
  impatient: ${upstream(bflKey, ", timeoutMs: 3000")}
  throttled: ${upstream(bflKey)}
models:
  flux: ${model("flux-pro-1.1")}
  ultra: ${model("flux-pro-1.1-ultra")}
  flux-2: ${model("flux-2-pro")}
  kontext: ${model("flux-kontext-pro")}
  fill: ${model("flux-pro-1.0-fill")}
  flux-3: ${model("flux-3-image")}
  wrong-key: ${model("flux-pro-1.1", "wrong-key")}
  impatient: ${model("flux-pro-1.1", "impatient")}
  throttled: ${model("flux-pro-1.1", "throttled")}
  two: { type: image, targets: [{ upstream: bfl, model: flux-pro-1.1 }, { upstream: spare, model: flux-pro-1.1 }] }
`);
});

afterAll(async () => {
  await gateway.stop();
  fake.close();
});

beforeEach(() => {
  fake.received.length = 0;
  fake.jobs.length = 0;
  fake.scripted.length = 0;
});

const { create, edit } = imageRequests(() => gateway);
const submitted = () => fake.received.filter(({ method }) => method === "POST");
const rowOf = (response: Response) => new AdminClient(gateway.url).rowOf(response);

test("a job is submitted, polled where its link says, and its image fetched without the key", async () => {
  fake.jobs.push({ pending: 1 });

  const [image] = await imagesOf(await create({ model: "flux", size: "1280x512" }));

  expect(fake.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v1/flux-pro-1.1",
    "GET /region/v1/get_result?id=job-1",
    "GET /region/v1/get_result?id=job-1",
    "GET /results/job-1",
  ]);
  expect(submitted()[0]?.body).toEqual({ prompt: "a fox", width: 1280, height: 512, output_format: "png" });
  expect(await sharp(image).metadata()).toMatchObject({ format: "png", width: 1280, height: 512 });
});

test.each([
  ["flux", { size: "auto" }, {}],
  ["flux", { seed: 0, moderation: "low" }, { seed: 0, safety_tolerance: 6 }],
  ["flux-2", { size: "2048x1536", moderation: "low" }, { width: 2048, height: 1536, safety_tolerance: 5 }],
  ["ultra", { size: "1536x1024" }, { aspect_ratio: "3:2" }],
  ["kontext", { size: "1080x1920" }, { aspect_ratio: "9:16" }],
])("%s sends %j as %j", async (model, options, fields) => {
  await imagesOf(await create({ model, ...options }));

  expect(submitted()[0]?.body).toEqual({ prompt: "a fox", output_format: "png", ...fields });
});

test("jpeg is requested, and webp is converted", async () => {
  const [jpeg] = await imagesOf(await create({ model: "flux", output_format: "jpeg" }));
  const [webp] = await imagesOf(await create({ model: "flux", output_format: "webp" }));

  expect(submitted().map(({ body }) => (body as { output_format: string }).output_format)).toEqual([
    "jpeg",
    "png",
  ]);
  expect((await sharp(jpeg).metadata()).format).toBe("jpeg");
  expect((await sharp(webp).metadata()).format).toBe("webp");
});

test("three images are three jobs with different seeds", async () => {
  expect(await imagesOf(await create({ model: "flux", n: 3, seed: 5 }))).toHaveLength(3);
  expect(
    submitted()
      .map(({ body }) => (body as { seed: number }).seed)
      .sort(),
  ).toEqual([5, 6, 7]);
});

test.each([
  [{ model: "flux", size: "1000x1024" }, "unsupported_value", "size"],
  [{ model: "flux", size: "1536x1024" }, "unsupported_value", "size"],
  [{ model: "ultra", size: "1000x1000" }, "unsupported_value", "size"],
  [{ model: "flux", quality: "high" }, "unsupported_value", "quality"],
  [{ model: "flux", background: "transparent" }, "unsupported_value", "background"],
  [{ model: "flux", negative_prompt: "rain" }, "unsupported_parameter", "negative_prompt"],
  [{ model: "kontext", moderation: "low" }, "unsupported_parameter", "moderation"],
  [{ model: "fill" }, "unsupported_operation", "model"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
  expect(fake.received).toEqual([]);
});

test("exactly the transparent pixels of a mask are edited", async () => {
  const [width, height] = [80, 64];
  const original = await gradient(width, height);
  const isEdited = (x: number, y: number) => x >= 10 && x < 33 && y % 9 < 4;

  const mask = await maskOf(width, height, isEdited);
  const [edited] = await imagesOf(await edit({ model: "fill", image: original, mask }));

  const before = await rgbOf(original);
  expect(await rgbOf(edited)).toEqual(
    before.map((pixel, at) => (isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel)),
  );
});

test("without a mask the transparent pixels of the image are filled, and an opaque image is refused", async () => {
  const [edited] = await imagesOf(await edit({ model: "fill", image: await maskOf(64, 64, (x) => x < 20) }));

  const pixels = await rgbOf(edited);
  expect(pixels).toEqual(pixels.map((_pixel, at) => (at % 64 < 20 ? [...paint] : [255, 255, 255])));
  expect(await errorOf(await edit({ model: "fill", image: await gradient(64, 64) }))).toMatchObject({
    status: 400,
    code: "missing_required_parameter",
    param: "mask",
  });
  expect(submitted()).toHaveLength(1);
});

test("several images are numbered, and a model without masks refuses one", async () => {
  const [first, second] = [await gradient(64, 64), await gradient(32, 64)];

  await imagesOf(await edit({ model: "flux-2", "image[]": [first, second] }));

  expect(submitted()[0]?.body).toEqual({
    prompt: "a hat",
    output_format: "png",
    input_image: first.toString("base64"),
    input_image_2: second.toString("base64"),
  });
  const mask = await maskOf(64, 64, () => true);
  expect(await errorOf(await edit({ model: "kontext", image: first, mask }))).toMatchObject({
    status: 400,
    param: "mask",
  });
});

test.each(["Request Moderated", "Content Moderated"] as const)(
  "%s is the caller's 400, at one target alone, and may be billed",
  async (end) => {
    fake.jobs.push({ end });

    const response = await create({ model: "two" });

    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: "moderation_blocked",
      type: "image_generation_user_error",
    });
    expect(submitted()).toHaveLength(1);
    expect(await rowOf(response)).toMatchObject({ status: 400, attempts: 1, cost_usd: null });
    expect((await create({ model: "two" })).status).toBe(200);
  },
);

test("a job that fails is not bought again", async () => {
  fake.jobs.push({ end: "Error" });

  const response = await create({ model: "two" });

  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_error" });
  expect(submitted()).toHaveLength(1);
  expect(await rowOf(response)).toMatchObject({ images: 0, cost_usd: null });
});

test("a job that stalls ends with the time of the upstream", async () => {
  fake.jobs.push({ pending: Number.POSITIVE_INFINITY });

  const response = await create({ model: "impatient" });

  expect(await errorOf(response)).toMatchObject({ status: 504, code: "upstream_timeout" });
  expect(await rowOf(response)).toMatchObject({ cost_usd: null });
});

test("a job that is gone is looked for a few times", async () => {
  fake.jobs.push({ end: "Task not found" });

  expect(await errorOf(await create({ model: "flux" }))).toMatchObject({
    status: 502,
    code: "upstream_error",
  });
  expect(fake.received).toHaveLength(1 + 5);
});

test.each(["http://127.0.0.1:9/results/job", "https://bfl.ai.example.com/a.png", "none"])(
  "a result at %s is not fetched",
  async (sample) => {
    fake.jobs.push({ sample });

    expect(await errorOf(await create({ model: "flux" }))).toMatchObject({
      status: 502,
      code: "upstream_invalid_reply",
    });
    expect(submitted()).toHaveLength(1);
  },
);

test("a result that has expired is not bought again", async () => {
  fake.jobs.push({ sample: `${fake.origin}/results/job-of-yesterday` });

  expect(await errorOf(await create({ model: "two" }))).toMatchObject({
    status: 502,
    code: "upstream_invalid_reply",
  });
  expect(submitted()).toHaveLength(1);
});

test("a state that is throttled is read again, and the job is not submitted again", async () => {
  fake.scripted.push({ method: "GET", reply: { status: 429, body: {}, headers: { "retry-after-ms": "1" } } });

  await imagesOf(await create({ model: "flux" }));

  expect(submitted()).toHaveLength(1);
});

test("a caller that leaves a job has a row whose cost is unknown", async () => {
  fake.jobs.push({ pending: Number.POSITIVE_INFINITY });
  const departure = new AbortController();
  const polled = fake.next(({ method }) => method === "GET");

  const response = create({ model: "flux" }, { signal: departure.signal });
  response.catch(() => undefined);
  await polled;
  departure.abort();

  const isLeft = ({ error_code }: { error_code: string | null }) => error_code === "caller_left";
  const admin = new AdminClient(gateway.url);
  await expect
    .poll(async () => (await admin.rows()).filter(isLeft), { timeout: 90_000 })
    .toMatchObject([{ status: 499, upstream: "bfl", attempts: 1, cost_usd: null }]);
});

test("a refused key is the gateway's own fault", async () => {
  const error = await errorOf(await create({ model: "wrong-key" }));

  expect(error).toMatchObject({ status: 502, code: "upstream_auth_error" });
});

test("too many jobs at once are throttled for a few seconds", async () => {
  fake.scripted.push(
    ...Array.from({ length: 3 }, () => ({
      method: "POST",
      reply: { status: 429, body: { detail: "Too many active tasks" } },
    })),
  );

  const response = await create({ model: "throttled" });

  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(1);
});

test("a field that is refused has the caller's name", async () => {
  const detail = [{ loc: ["body", "width"], msg: "must be a multiple of 32", type: "value_error" }];
  fake.scripted.push({ method: "POST", reply: { status: 422, body: { detail } } });

  expect(await errorOf(await create({ model: "flux" }))).toMatchObject({
    status: 400,
    code: "upstream_rejected",
    param: "size",
    message: "must be a multiple of 32",
  });
});

test("a size of the third generation is its ratio and its class, and the web is not searched", async () => {
  await imagesOf(await create({ model: "flux-3", size: "3072x2048", moderation: "low" }));
  await imagesOf(await create({ model: "flux-3" }));
  const refused = await create({ model: "flux-3", size: "1000x1000" });

  expect(submitted().map(({ path, body }) => [path, body])).toEqual([
    [
      "/v1/flux-3-image",
      { prompt: "a fox", aspect_ratio: "3:2", resolution: "2k", grounding: false, safety_tolerance: 4 },
    ],
    ["/v1/flux-3-image", { prompt: "a fox", grounding: false }],
  ]);
  expect(await errorOf(refused)).toMatchObject({ status: 400, param: "size" });
});

test("the third generation edits up to ten images", async () => {
  const image = await sharp({ create: { width: 300, height: 300, channels: 3, background: "teal" } })
    .png()
    .toBuffer();

  await imagesOf(await edit({ model: "flux-3", "image[]": [image, image], size: "auto" }));

  const base64 = image.toString("base64");
  expect(submitted().map(({ body }) => body)).toEqual([
    { prompt: "a hat", images: [base64, base64], grounding: false },
  ]);
});
