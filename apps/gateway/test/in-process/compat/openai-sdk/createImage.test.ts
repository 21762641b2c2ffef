import { APIError } from "openai";
import sharp from "sharp";
import { expect, test } from "vitest";
import { tinyPng } from "../../../fake-upstream/sample-images.mjs";
import { collect } from "./collect.js";
import { embeddedGateway, relayingGateway } from "./gateways.js";
import { bytesOf, readPixels } from "./pixels.js";

const embedded = embeddedGateway();
const relaying = relayingGateway();
const request = { model: "local-sketch", prompt: "a red fox in the snow", size: "256x192" } as const;

test("a generated image has the requested size, and the response says so", async () => {
  const response = await embedded.client.images.generate(request);

  const { format, width, height } = await sharp(bytesOf(response.data?.[0])).metadata();

  expect({ format, width, height }).toEqual({ format: "png", width: 256, height: 192 });
  expect(response).toMatchObject({ size: "256x192", output_format: "png", background: "opaque" });
  expect(response._request_id).toMatch(/^req_[0-9a-f]{32}$/);
});

test("the same request gives the same bytes, and n gives as many different images", async () => {
  const { client } = embedded;

  const [one, three] = await Promise.all([
    client.images.generate(request),
    client.images.generate({ ...request, n: 3 }),
  ]);

  const images = three.data?.map(({ b64_json }) => b64_json) ?? [];
  expect(new Set(images).size).toBe(3);
  expect(images[0]).toBe(one.data?.[0]?.b64_json);
});

test("a transparent background has pixels that are not there", async () => {
  const response = await embedded.client.images.generate({ ...request, background: "transparent" });

  const { bytes } = await readPixels(bytesOf(response.data?.[0]));

  const alphas = new Set(bytes.filter((_, index) => index % 4 === 3));
  expect(alphas).toContain(0);
  expect(alphas).toContain(255);
  expect(response.background).toBe("transparent");
});

test.each(["png", "jpeg", "webp"] as const)("output_format %s is respected", async (output_format) => {
  const response = await embedded.client.images.generate({ ...request, output_format });

  const { format, width, height } = await sharp(bytesOf(response.data?.[0])).metadata();

  expect({ format, width, height }).toEqual({ format: output_format, width: 256, height: 192 });
  expect(response.output_format).toBe(output_format);
});

test("a lower output_compression makes a smaller jpeg", async () => {
  const sizes = [];
  for (const output_compression of [100, 10]) {
    const response = await embedded.client.images.generate({
      ...request,
      output_format: "jpeg",
      output_compression,
    });
    sizes.push(bytesOf(response.data?.[0]).length);
  }

  expect(sizes[1]).toBeLessThan(sizes[0]!);
});

test("the image and the usage of an upstream pass unchanged", async () => {
  const response = await relaying.client.images.generate({ model: "image", prompt: "a fox", n: 2 });

  expect(response.data?.map(bytesOf)).toEqual([tinyPng, tinyPng]);
  expect(response.usage).toMatchObject({ input_tokens: 10, output_tokens: 100, total_tokens: 110 });
});

test("a stream of an embedded model ends with the image that the plain request gives", async () => {
  const plain = await embedded.client.images.generate(request);

  const events = await collect(await embedded.client.images.generate({ ...request, stream: true }));

  expect(events.at(-1)).toMatchObject({
    type: "image_generation.completed",
    b64_json: plain.data?.[0]?.b64_json,
    size: "256x192",
    output_format: "png",
  });
});

test("a stream of an upstream arrives event by event", async () => {
  const stream = await relaying.client.images.generate({
    model: "image",
    prompt: "a fox",
    stream: true,
    partial_images: 2,
  });

  const events = await collect(stream);

  expect(events.map(({ type }) => type)).toEqual([
    "image_generation.partial_image",
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
  expect(events.at(-1)).toMatchObject({ usage: { total_tokens: 110 } });
});

test("a failure in the middle of a stream is thrown to its reader", async () => {
  const stream = await relaying.client.images.generate({
    model: "stream-error",
    prompt: "a fox",
    stream: true,
    partial_images: 1,
  });

  const failure = await collect(stream).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(APIError);
  expect(failure).toMatchObject({ code: "moderation_blocked" });
});
