import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { imageInMemory } from "../../../domain/image-input.js";
import { withTexts } from "../../../domain/test/with-texts.js";
import { encodeImageDocument, encodeImageJson, readImageJson } from "./image-json.js";

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** A reply that arrives in chunks of this many bytes. */
function replyOf(value: unknown, chunkBytes: number) {
  const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  return {
    read: async (onChunk: (chunk: Buffer) => void) => {
      for (let at = 0; at < body.length; at += chunkBytes) onChunk(body.subarray(at, at + chunkBytes));
    },
  };
}

test.each([0, 1, 2, 3, 4, 5, 70_001])("an image of %i bytes is streamed as base64", async (bytes) => {
  const content = Buffer.alloc(bytes, "pixels");
  const image = {
    ...imageInMemory(content, "png"),
    // The chunks of a file are not multiples of three bytes.
    stream: () =>
      Readable.from(
        Array.from({ length: Math.ceil(bytes / 7) }, (_chunk, at) => content.subarray(7 * at, 7 * at + 7)),
      ),
  };
  const fields = { prompt: 'a "fox", ünd {more}' };

  const { headers, body } = encodeImageJson(fields, [
    { key: "init_images", image, isList: true },
    { key: "mask", image },
  ]);

  for (const sent of [await textOf(body()), await textOf(body())]) {
    expect(JSON.parse(sent)).toEqual({
      ...fields,
      init_images: [content.toString("base64")],
      mask: content.toString("base64"),
    });
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(sent)));
  }
});

test.each([1, 7, 100_000])("images are read from a reply in chunks of %i bytes", async (chunkBytes) => {
  const list = { images: ["aGk=", "aG8="], info: '{"images": ["x"]}' };

  expect(
    withTexts(await readImageJson(replyOf(list, chunkBytes), { key: "images", count: 2 })),
  ).toMatchObject({
    document: { info: list.info },
    images: list.images,
  });
  expect(
    withTexts(
      await readImageJson(replyOf({ image: "aGk=", seed: 1 }, chunkBytes), { key: "image", count: 1 }),
    ),
  ).toMatchObject({ document: { seed: 1 }, images: ["aGk="] });
});

test.each([
  ["not JSON", "<html>"],
  ["a list", "[]"],
  ["an image that is not text", '{"image": [1]}'],
  ["an image that is not base64", '{"image": "!!!!"}'],
  ["two images where one was asked for", '{"image": "aaaa", "other": {"image": "bbbb"}}'],
  ["no end", '{"image": "aGk'],
])("a reply that is or has %s is a failure of the upstream", async (_what, body) => {
  await expect(readImageJson(replyOf(body, 4), { key: "image", count: 1 })).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test("a reply without images has none, and it is for its provider to say what that means", async () => {
  expect(await readImageJson(replyOf({ name: "x" }, 9), { key: "image", count: 1 })).toEqual({
    document: { name: "x" },
    images: [],
  });
});

test("a document has images as data URLs where it wants them", async () => {
  const [one, two] = [imageInMemory(Buffer.from("one"), "png"), imageInMemory(Buffer.from("four"), "webp")];

  const { headers, body } = encodeImageDocument((link) => ({
    version: 1,
    input: { images: [link(two), link(one)], prompt: 'a "fox"' },
  }));

  const chunks: Buffer[] = [];
  for await (const chunk of body()) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  expect(JSON.parse(content.toString())).toEqual({
    version: 1,
    input: {
      images: ["data:image/webp;base64,Zm91cg==", "data:image/png;base64,b25l"],
      prompt: 'a "fox"',
    },
  });
  expect(headers["content-length"]).toBe(String(content.length));
});
