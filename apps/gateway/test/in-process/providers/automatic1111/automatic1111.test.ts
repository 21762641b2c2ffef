import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import {
  checkpoint,
  credentials,
  type FakeAutomatic1111,
  startFakeAutomatic1111,
} from "./fake-automatic1111.js";

let open: FakeAutomatic1111;
let closed: FakeAutomatic1111;
let gateway: InProcessGateway;

beforeAll(async () => {
  [open, closed] = [await startFakeAutomatic1111(false), await startFakeAutomatic1111(true)];
  const { username, password } = credentials;
  const model = (upstream: string, name: string) =>
    `{ type: image, targets: [{ upstream: ${upstream}, model: "${name}" }] }`;
  gateway = await startGateway(`
upstreams:
  open: { provider: automatic1111, baseUrl: "${open.baseUrl}" }
  closed: { provider: automatic1111, baseUrl: "${closed.baseUrl}", username: ${username}, password: ${password} }
  wrong-password: { provider: automatic1111, baseUrl: "${closed.baseUrl}", username: ${username}, password: wrong }
  fails: { provider: automatic1111, baseUrl: "${open.baseUrl}" }
models:
  dream: ${model("open", "dreamshaper_8")}
  secret-dream: ${model("closed", "dreamshaper_8.safetensors")}
  wrong-password: ${model("wrong-password", "dreamshaper_8")}
  missing: ${model("open", "dreamshaper_9")}
  fails: ${model("fails", "dreamshaper_8")}
`);
});

afterAll(async () => {
  await gateway.stop();
  await Promise.all([open.close(), closed.close()]);
});

beforeEach(() => {
  open.received.length = 0;
  closed.received.length = 0;
});

const create = (body: object) => gateway.sendJson("/v1/images/generations", { prompt: "a fox", ...body });

async function edit(fields: Readonly<Record<string, string | Buffer>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: "dream", prompt: "a hat", ...fields }))
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

/** The calls for images: names of checkpoints are looked up beside them. */
const calls = (fake: FakeAutomatic1111 = open) =>
  fake.received.filter(({ path }) => path !== "/sdapi/v1/sd-models");

test("a generation has the requested size, steps and checkpoint", async () => {
  const [image] = await imagesOf(await create({ model: "dream", size: "640x384", quality: "medium" }));

  expect(await sharp(image).metadata()).toMatchObject({ format: "png", width: 640, height: 384 });
  expect(calls()).toMatchObject([{ path: "/sdapi/v1/txt2img" }]);
  expect(calls()[0]?.body).toEqual({
    prompt: "a fox",
    steps: 25,
    width: 640,
    height: 384,
    batch_size: 1,
    n_iter: 1,
    override_settings: { sd_model_checkpoint: checkpoint },
    override_settings_restore_afterwards: false,
    send_images: true,
    save_images: false,
  });
});

test("without options the web UI's own defaults hold", async () => {
  const [image] = await imagesOf(await create({ model: "dream", size: "auto", quality: "auto" }));

  expect(await sharp(image).metadata()).toMatchObject({ width: 512, height: 512 });
  expect(Object.keys(calls()[0]?.body ?? {})).not.toContain("width");
  expect(Object.keys(calls()[0]?.body ?? {})).not.toContain("steps");
});

test("ten images come in batches of at most four", async () => {
  expect(await imagesOf(await create({ model: "dream", n: 10, size: "64x64" }))).toHaveLength(10);
  expect(calls().map(({ body }) => body.batch_size)).toEqual([4, 4, 2]);
});

test("a seed and a negative prompt are sent", async () => {
  await imagesOf(await create({ model: "dream", size: "64x64", seed: 0, negative_prompt: "rain" }));

  expect(calls()[0]?.body).toMatchObject({ seed: 0, negative_prompt: "rain" });
});

test("a grid before the images is left out", async () => {
  const images = await imagesOf(await create({ model: "dream", prompt: "a grid", n: 2, size: "64x64" }));

  const sizes = await Promise.all(images.map(async (image) => (await sharp(image).metadata()).width));
  expect(sizes).toEqual([64, 64]);
});

test("the checkpoints are looked up once", async () => {
  await create({ model: "dream", size: "64x64" });
  await create({ model: "dream", size: "64x64" });

  expect(calls()).toHaveLength(2);
  expect(open.received.length - calls().length).toBeLessThanOrEqual(1);
});

test("a checkpoint that the web UI does not have is never replaced by another", async () => {
  expect(await errorOf(await create({ model: "missing" }))).toMatchObject({
    status: 502,
    code: "upstream_model_missing",
  });
  expect(calls()).toEqual([]);
});

test.each([
  [{ size: "100x100" }, "unsupported_value", "size"],
  [{ size: "4096x64" }, "unsupported_value", "size"],
  [{ quality: "hd" }, "unsupported_value", "quality"],
  [{ background: "transparent" }, "unsupported_value", "background"],
  [{ style: "natural" }, "unsupported_parameter", "style"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create({ model: "dream", ...body }))).toMatchObject({
    status: 400,
    code,
    param,
  });
  expect(calls()).toEqual([]);
});

test("exactly the transparent pixels of a mask are edited", async () => {
  const [width, height] = [80, 64];
  const original = await gradient(width, height);
  const isEdited = (x: number, y: number) => (x - 40) ** 2 + (y - 30) ** 2 < 300;

  const [edited] = await imagesOf(
    await edit({ image: original, mask: await maskOf(width, height, isEdited) }),
  );

  const before = await rgbOf(original);
  expect(await rgbOf(edited ?? Buffer.alloc(0))).toEqual(
    before.map((pixel, at) => (isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel)),
  );
  expect(calls()[0]?.body).toMatchObject({ width, height, mask_blur: 0, inpaint_full_res: false });
});

test("without a mask the whole image is redrawn, in its own size", async () => {
  const [edited] = await imagesOf(await edit({ image: await gradient(83, 66) }));

  expect(await sharp(edited).metadata()).toMatchObject({ width: 80, height: 64 });
  expect(Object.keys(calls()[0]?.body ?? {})).not.toContain("mask");
});

test("an edit has the requested size, and a large image needs one", async () => {
  const large = await sharp({ create: { width: 2064, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();

  const [edited] = await imagesOf(await edit({ image: large, size: "512x64" }));
  const refused = await errorOf(await edit({ image: large }));

  expect(await sharp(edited).metadata()).toMatchObject({ width: 512, height: 64 });
  expect(refused).toMatchObject({ status: 400, code: "invalid_image_file", param: "image" });
});

test("a web UI with --api-auth gets the user and the password, and refuses wrong ones", async () => {
  expect((await create({ model: "secret-dream", size: "64x64" })).status).toBe(200);

  const error = await errorOf(await create({ model: "wrong-password" }));

  expect(error).toMatchObject({ status: 502, code: "upstream_auth_error" });
  expect(gateway.logLines.join("")).not.toContain(credentials.password);
});

test("a failure is nothing that was made where the memory was too small, and unknown otherwise", async () => {
  const failure = (error: string) => ({ status: 500, body: { error, detail: "", body: "", errors: "x" } });
  open.failures.push(failure("OutOfMemoryError"), failure("OutOfMemoryError"), failure("OutOfMemoryError"));
  expect(await errorOf(await create({ model: "fails" }))).toMatchObject({
    status: 503,
    code: "upstream_unavailable",
  });
  open.failures.length = 0;

  open.failures.push(failure("RuntimeError"));
  const response = await create({ model: "dream" });

  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_error" });
});

test("a refusal in the web UI's words names the caller's parameter", async () => {
  open.failures.push({
    status: 422,
    body: { detail: [{ loc: ["body", "batch_size"], msg: "too many", type: "value_error" }] },
  });

  expect(await errorOf(await create({ model: "dream", n: 2 }))).toMatchObject({
    status: 400,
    code: "upstream_rejected",
    param: "n",
    message: "too many",
  });
});

test("an image that the web UI cannot decode is the caller's", async () => {
  open.failures.push({
    status: 500,
    body: { error: "HTTPException", detail: "Invalid encoded image", body: "", errors: "" },
  });

  expect(await errorOf(await edit({ image: await gradient(64, 64) }))).toMatchObject({
    status: 400,
    code: "invalid_image_file",
    param: "image",
  });
});
