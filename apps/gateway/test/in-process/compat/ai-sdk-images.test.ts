import { createOpenAI } from "@ai-sdk/openai";
import { generateImage } from "ai";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway(`
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  local: { provider: local }
models:
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const openai = () => createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey });

test("the Vercel AI SDK makes images with a model of any name", async () => {
  const { images } = await generateImage({
    model: openai().image("local-sketch"),
    prompt: "two red foxes",
    size: "256x256",
    n: 2,
  });

  expect(
    await Promise.all(images.map(async ({ uint8Array }) => (await sharp(uint8Array).metadata()).width)),
  ).toEqual([256, 256]);
});

test("it sends response_format to models it does not know, and a strict upstream does not get to see it", async () => {
  const { image } = await generateImage({ model: openai().image("image"), prompt: "a fox" });

  expect(image.uint8Array.length).toBeGreaterThan(0);
  expect(upstream.received.at(-1)?.body).toEqual({ model: "image", prompt: "a fox" });
});

test("it edits one image and several, with a mask", async () => {
  const image = await sharp({ create: { width: 64, height: 64, channels: 4, background: "red" } })
    .png()
    .toBuffer();
  const mask = await sharp({
    create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();

  await generateImage({
    model: openai().image("image"),
    prompt: { text: "add a rocket", images: [image, image], mask },
  });
  const { image: edited } = await generateImage({
    model: openai().image("local-sketch"),
    prompt: { text: "add a rocket", images: [image] },
  });

  const files = upstream.received
    .at(-1)
    ?.parts.flatMap(({ name, type, filename }) => (filename === undefined ? [] : [`${name} ${type}`]));
  expect(files).toEqual(["image[] image/png", "image[] image/png", "mask image/png"]);
  expect(await sharp(edited.uint8Array).metadata()).toMatchObject({ width: 64, height: 64 });
});
