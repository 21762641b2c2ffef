import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import { type FakeStability, stabilityKey, startFakeStability } from "./fake-stability.js";

let fake: FakeStability;
let gateway: InProcessGateway;

beforeAll(async () => {
  fake = await startFakeStability();
  const upstream = (apiKey: string) =>
    `{ provider: stability, baseUrl: "${fake.baseUrl}", apiKey: ${apiKey} }`;
  const model = (name: string, from = "stability") =>
    `{ type: image, targets: [{ upstream: ${from}, model: ${name} }] }`;
  gateway = await startGateway(`
upstreams:
  stability: ${upstream(stabilityKey)}
  wrong-key: ${upstream("sk-wrong")}
  shut-out: ${upstream(stabilityKey)}
models:
  core: ${model("core")}
  ultra: ${model("ultra")}
  sd3: ${model("sd3.5-large-turbo")}
  inpaint: ${model("inpaint")}
  wrong-key: ${model("core", "wrong-key")}
  throttled: ${model("core", "shut-out")}
`);
});

afterAll(async () => {
  await gateway.stop();
  await fake.close();
});

beforeEach(() => {
  fake.received.length = 0;
});

const create = (body: object) => gateway.sendJson("/v1/images/generations", { prompt: "a fox", ...body });

async function edit(fields: Readonly<Record<string, string | Buffer>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: "inpaint", prompt: "a hat", ...fields }))
    typeof value === "string"
      ? form.append(name, value)
      : form.append(name, new Blob([new Uint8Array(value)], { type: "image/png" }), `${name}.png`);
  return gateway.send("/v1/images/edits", { method: "POST", body: form });
}

async function imagesOf(response: Response): Promise<Buffer[]> {
  const body = (await response.json()) as { data: { b64_json: string }[] };
  expect([response.status, body]).toEqual([200, expect.anything()]);
  return body.data.map(({ b64_json }) => Buffer.from(b64_json, "base64"));
}

async function errorOf(response: Response): Promise<Record<string, unknown>> {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, ...error };
}

test("a form goes to the model's endpoint, with the aspect ratio of the size", async () => {
  const [image] = await imagesOf(await create({ model: "core", size: "1536x1024", output_format: "webp" }));

  expect(fake.received).toMatchObject([
    {
      path: "/v2beta/stable-image/generate/core",
      body: { prompt: "a fox", aspect_ratio: "3:2", output_format: "webp" },
    },
  ]);
  expect(await sharp(image).metadata()).toMatchObject({ format: "webp", width: 24, height: 16 });
});

test.each([
  ["auto", undefined],
  ["1024x1024", "1:1"],
  ["1024x1536", "2:3"],
  ["1280x1024", "5:4"],
  ["1024x1280", "4:5"],
  ["1920x1080", "16:9"],
  ["1080x1920", "9:16"],
  ["1344x576", "21:9"],
  ["576x1344", "9:21"],
])("the size %s is the ratio %s, and the response says the size of the image", async (size, ratio) => {
  const response = await create({ model: "ultra", size });

  const [width, height] = (ratio ?? "1:1").split(":").map((side) => 8 * Number(side));
  expect(await response.json()).toMatchObject({ size: `${width}x${height}`, output_format: "png" });
  expect(fake.received[0]?.path).toBe("/v2beta/stable-image/generate/ultra");
  expect(fake.received[0]?.body.aspect_ratio).toBe(ratio);
});

test("the models of sd3 share an endpoint, and webp is converted for them", async () => {
  const [image] = await imagesOf(await create({ model: "sd3", output_format: "webp" }));

  expect(fake.received).toMatchObject([{ path: "/v2beta/stable-image/generate/sd3" }]);
  expect(fake.received[0]?.body).toEqual({ prompt: "a fox", model: "sd3.5-large-turbo" });
  expect((await sharp(image).metadata()).format).toBe("webp");
});

test("a seed and a negative prompt are sent, with another seed for each call", async () => {
  await imagesOf(await create({ model: "core", n: 2, seed: 7, negative_prompt: "rain" }));

  expect(fake.received.map(({ body }) => [body.seed, body.negative_prompt]).sort()).toEqual([
    ["7", "rain"],
    ["8", "rain"],
  ]);
});

test("three images are three calls", async () => {
  expect(await imagesOf(await create({ model: "core", n: 3 }))).toHaveLength(3);
  expect(fake.received).toHaveLength(3);
});

test.each([
  [{ model: "core", size: "1000x1000" }, "unsupported_value", "size"],
  [{ model: "core", quality: "high" }, "unsupported_value", "quality"],
  [{ model: "core", background: "transparent" }, "unsupported_value", "background"],
  [{ model: "core", style: "natural" }, "unsupported_parameter", "style"],
  [{ model: "core", moderation: "low" }, "unsupported_parameter", "moderation"],
  [{ model: "inpaint" }, "unsupported_operation", "model"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
  expect(fake.received).toEqual([]);
});

test("the refusal of a size names those that are possible", async () => {
  const { message } = await errorOf(await create({ model: "core", size: "1000x1000" }));

  expect(message).toContain("'1024x1024', '1536x1024', '1024x1536'");
});

test("exactly the transparent pixels of a mask are edited", async () => {
  const [width, height] = [80, 64];
  const original = await gradient(width, height);
  const isEdited = (x: number, y: number) => x >= 10 && x < 33 && y % 9 < 4;

  const [edited] = await imagesOf(
    await edit({ image: original, mask: await maskOf(width, height, isEdited) }),
  );

  const before = await rgbOf(original);
  expect(await rgbOf(edited ?? Buffer.alloc(0))).toEqual(
    before.map((pixel, at) => (isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel)),
  );
  expect(fake.received[0]?.body).toEqual({ prompt: "a hat", grow_mask: "0" });
});

test("without a mask the transparent pixels of the image are edited", async () => {
  const image = await maskOf(64, 64, (x) => x < 20);

  const [edited] = await imagesOf(await edit({ image }));

  const pixels = await rgbOf(edited ?? Buffer.alloc(0));
  expect(pixels).toEqual(pixels.map((_pixel, at) => (at % 64 < 20 ? [...paint] : [255, 255, 255])));
  expect(fake.received[0]?.parts.find(({ name }) => name === "image")?.content).toEqual(image);
});

test("an edit without any area to edit is refused, and so are images that the service does not take", async () => {
  const opaque = await gradient(64, 64);
  const small = await maskOf(63, 64, () => true);

  expect(await errorOf(await edit({ image: opaque }))).toMatchObject({
    status: 400,
    code: "missing_required_parameter",
    param: "mask",
  });
  expect(await errorOf(await edit({ image: small }))).toMatchObject({
    status: 400,
    code: "invalid_image_file",
    param: "image",
  });
  expect(fake.received).toEqual([]);
});

test("a model without edits, and one without masks, say so", async () => {
  const image = await maskOf(64, 64, () => true);

  expect(await errorOf(await edit({ model: "core", image }))).toMatchObject({ status: 400, param: "model" });
  const { data } = (await (await gateway.send("/v1/models")).json()) as {
    data: { id: string; operations: string[]; image: Record<string, unknown> }[];
  };
  expect(
    Object.fromEntries(data.map(({ id, operations, image: { mask } }) => [id, { operations, mask }])),
  ).toMatchObject({
    core: { operations: ["createImage"], mask: false },
    inpaint: { operations: ["createImageEdit"], mask: true },
  });
});

test.each(["a forbidden fox", "a blur of a fox"])(
  "moderation of %j is the caller's 400, once",
  async (prompt) => {
    expect(await errorOf(await create({ model: "core", prompt }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
      type: "image_generation_user_error",
    });
    expect(fake.received).toHaveLength(1);
    // The target is as healthy as before.
    expect((await create({ model: "core" })).status).toBe(200);
  },
);

test("a refused key is the gateway's own fault", async () => {
  const error = await errorOf(await create({ model: "wrong-key" }));

  expect(error).toMatchObject({ status: 502, code: "upstream_auth_error" });
  expect(JSON.stringify(error)).not.toContain("sk-wrong");
});

test("an account that is locked is paused for a minute", async () => {
  fake.failures.push({
    status: 429,
    body: { id: "1", name: "rate_limit_exceeded", errors: ["You have exceeded the rate limit."] },
  });

  const response = await create({ model: "throttled" });

  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(50);
  expect(fake.received).toHaveLength(1);
});

test("an account without credits says so", async () => {
  fake.failures.push({ status: 402, body: { id: "1", name: "payment_required", errors: ["no credits"] } });

  expect(await errorOf(await create({ model: "ultra" }))).toMatchObject({
    status: 429,
    code: "insufficient_quota",
  });
});
