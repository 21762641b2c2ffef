import { withTexts } from "@model-gateway/domain/test/with-texts";
import { expect, test } from "vitest";
import { readImageJson } from "./image-json.js";

/** A reply that arrives in chunks of this many bytes. */
function replyOf(value: unknown, chunkBytes: number) {
  const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  return {
    read: async (onChunk: (chunk: Buffer) => void) => {
      for (let at = 0; at < body.length; at += chunkBytes) onChunk(body.subarray(at, at + chunkBytes));
    },
  };
}

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

test("images in a list are rewritten one by one", async () => {
  const reply = replyOf('{"images": ["aG\\nk=", "data:image\\/png;base64,aG8", "aGk="]}', 3);

  expect(withTexts(await readImageJson(reply, { key: "images", count: 3 }))).toMatchObject({
    images: ["aGk=", "aG8=", "aGk="],
  });
});

test.each([
  ["not JSON", "<html>"],
  ["a list", "[]"],
  ["an image that is not text", '{"image": [1]}'],
  ["a list in a list", '{"image": [["aGk="]]}'],
  ["more images in its list than were asked for", '{"image": ["aGk=", "aGk="]}'],
  ["an image that is not base64", '{"image": "!!!!"}'],
  ["two images where one was asked for", '{"image": "aaaa", "other": {"image": "bbbb"}}'],
  ["no end", '{"image": "aGk'],
])("a reply that is or has %s is a failure of the upstream", async (_what, body) => {
  await expect(readImageJson(replyOf(body, 4), { key: "image", count: 1 })).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test("an image may be anywhere in the document", async () => {
  const reply = replyOf({ data: [{ b64_json: "aGk=", size: "1x1" }] }, 5);
  const at = ({ data }: Record<string, unknown>) => (data as [{ b64_json: unknown }])[0].b64_json;

  expect(withTexts(await readImageJson(reply, { key: "b64_json", count: 1, at }))).toMatchObject({
    images: ["aGk="],
  });
});

test("a reply without images has none, and its provider decides what that means", async () => {
  expect(await readImageJson(replyOf({ name: "x" }, 9), { key: "image", count: 1 })).toEqual({
    document: { name: "x" },
    images: [],
  });
});
