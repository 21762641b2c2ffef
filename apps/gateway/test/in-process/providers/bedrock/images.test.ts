import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import type { StrictServer } from "../strict-server.js";
import { bedrockRegion, startFakeBedrock } from "./fake-bedrock.js";
import { imageRoutes, paintBody } from "./fake-images.js";

let fake: StrictServer;
let gateway: InProcessGateway;

beforeAll(async () => {
  fake = await startFakeBedrock({ routes: imageRoutes });
  const model = (name: string) =>
    `{ type: image, retries: { max: 0 }, targets: [{ upstream: aws, model: "${name}" }] }`;
  gateway = await startGateway(`
upstreams:
  aws: { provider: bedrock, region: ${bedrockRegion}, baseUrl: "${fake.origin}", accessKeyId: AKIAPERMANENT, secretAccessKey: permanent/secret+key }
models:
  core: ${model("stability.stable-image-core-v1:1")}
  inpaint: ${model("us.stability.stable-image-inpaint-v1:0")}
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});
beforeEach(() => {
  fake.bodies.length = 0;
});

const create = (body: object) => gateway.sendJson("/v1/images/generations", { prompt: "a fox", ...body });

async function edit(fields: Readonly<Record<string, string | Buffer>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ prompt: "a hat", ...fields }))
    typeof value === "string"
      ? form.append(name, value)
      : form.append(name, new Blob([new Uint8Array(value)], { type: "image/png" }), `${name}.png`);
  return gateway.send("/v1/images/edits", { method: "POST", body: form });
}

async function countOf(response: Response): Promise<number> {
  const body = (await response.json()) as { data: unknown[] };
  expect([response.status, body]).toEqual([200, expect.anything()]);
  return body.data.length;
}

async function errorOf(response: Response): Promise<Record<string, unknown>> {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, ...error };
}

test("Stability gets the ratio of the size", async () => {
  const options = { size: "1536x1024", output_format: "jpeg", seed: 0 };

  expect(await countOf(await create({ model: "core", n: 2, ...options }))).toBe(2);
  expect(fake.bodies).toContainEqual({
    prompt: "a fox",
    aspect_ratio: "3:2",
    output_format: "jpeg",
    seed: 4_294_967_294,
  });
});

test("exactly the transparent pixels of a mask are edited", async () => {
  const side = 64;
  const isEdited = (x: number, y: number) => x >= 10 && x < 33 && y % 9 < 4;
  const image = await gradient(side, side);

  expect(
    await countOf(await edit({ model: "inpaint", image, mask: await maskOf(side, side, isEdited) })),
  ).toBe(1);

  const before = await rgbOf(image);
  expect(await rgbOf(await paintBody(fake.bodies[0]))).toEqual(
    before.map((pixel, at) => (isEdited(at % side, Math.floor(at / side)) ? [...paint] : pixel)),
  );
});

test("the area that Stability edits does not grow beyond the mask", async () => {
  const image = await maskOf(64, 64, (x) => x < 20);

  expect(await countOf(await edit({ model: "inpaint", image }))).toBe(1);
  expect(fake.bodies[0]).toEqual({
    prompt: "a hat",
    image: image.toString("base64"),
    grow_mask: 0,
    seed: 0,
    output_format: "png",
  });
});

test.each([
  [{ model: "core", size: "1000x1000" }, "unsupported_value", "size"],
  [{ model: "core", background: "transparent" }, "unsupported_value", "background"],
  [{ model: "inpaint" }, "unsupported_operation", "model"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
  expect(fake.bodies).toEqual([]);
});

test("edits that a model does not take are refused, and nothing is sent", async () => {
  const [small, tiny] = [await gradient(64, 64), await gradient(32, 32)];
  const mask = await maskOf(32, 32, () => true);

  expect(await errorOf(await edit({ model: "inpaint", image: small }))).toMatchObject({
    status: 400,
    code: "missing_required_parameter",
    param: "mask",
  });
  expect(await errorOf(await edit({ model: "inpaint", image: tiny, mask }))).toMatchObject({
    status: 400,
    code: "invalid_image_file",
    param: "image",
  });
  expect(await errorOf(await edit({ model: "core", image: small }))).toMatchObject({ status: 400 });
  expect(fake.bodies).toEqual([]);
});

test.each(["a forbidden fox", "a filtered fox"])(
  "moderation of %j is the caller's 400, once",
  async (prompt) => {
    expect(await errorOf(await create({ model: "core", prompt }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
    });
    expect(fake.bodies).toHaveLength(1);
    // The target is as healthy as before.
    expect((await create({ model: "core" })).status).toBe(200);
  },
);

test("an inference error in a 200 reply is a service failure", async () => {
  expect(await errorOf(await create({ model: "core", prompt: "a broken fox" }))).toMatchObject({
    status: 502,
    code: "upstream_error",
  });
});
