import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type ImageInput, imageInMemory } from "@model-gateway/domain/image-input";
import type { ImageEditRequest } from "@model-gateway/domain/requests";
import { expect, test } from "vitest";
import { editRequest } from "./edit-request.js";

const request: ImageEditRequest = {
  prompt: 'a "fox" é',
  images: [imageInMemory(Buffer.from("image"), "png")],
};

/** An image that arrives in chunks of this size. */
function chunked(content: Buffer, size: number): ImageInput {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += size) chunks.push(content.subarray(at, at + size));
  return { ...imageInMemory(content, "jpeg"), stream: () => Readable.from(chunks) };
}

async function sentText({ body }: ReturnType<typeof editRequest>): Promise<string> {
  if (typeof body !== "function") throw new Error("The body is not a stream.");
  return text(body());
}

test.each([1, 2, 3, 4, 7, 100])("JSON is written from chunks of %d bytes", async (size) => {
  const [one, other] = [Buffer.alloc(31, "a"), Buffer.alloc(32, "b")];
  const images = [chunked(one, size), chunked(other, size)] as const;

  const sent = editRequest({ ...request, images, moderation: "low", n: 2 }, "painter");
  const body = await sentText(sent);

  expect(sent.headers).toEqual({
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  });
  expect(JSON.parse(body)).toEqual({
    model: "painter",
    prompt: 'a "fox" é',
    moderation: "low",
    n: 2,
    images: [
      { image_url: `data:image/jpeg;base64,${one.toString("base64")}` },
      { image_url: `data:image/jpeg;base64,${other.toString("base64")}` },
    ],
  });
});

test("a form has no moderation: its default is left out", async () => {
  const sent = editRequest({ ...request, moderation: "auto" }, "painter");

  expect(sent.headers["content-type"]).toMatch(/^multipart\/form-data/);
  expect(await sentText(sent)).not.toContain("moderation");
});

test("an image that is too large for a data URL is refused by the parameter that needs one", () => {
  const large = { ...imageInMemory(Buffer.alloc(1), "png"), bytes: 16_000_000 };

  expect(() => editRequest({ ...request, images: [large], moderation: "low" }, "painter")).toThrow(
    expect.objectContaining({
      code: "invalid_value",
      param: "moderation",
      message: "Invalid 'moderation': an edit with it takes no image as large as 'image'.",
    }),
  );
});

test("several images are repeated under one name where the upstream wants it", async () => {
  const [image] = request.images;

  const sent = await sentText(editRequest({ ...request, images: [image, image] }, "painter", "repeated"));

  expect(sent.match(/name="image"/g)).toHaveLength(2);
  expect(sent).not.toContain("image[]");
});

test("an upstream with JSON edits gets JSON, and its refusals name the image", async () => {
  const large = { ...imageInMemory(Buffer.alloc(1), "png"), bytes: 16_000_000 };

  const sent = editRequest(request, "painter", "json");

  expect(JSON.parse(await sentText(sent))).toEqual({
    model: "painter",
    prompt: 'a "fox" é',
    images: [{ image_url: `data:image/png;base64,${Buffer.from("image").toString("base64")}` }],
  });
  expect(() => editRequest({ ...request, images: [large] }, "painter", "json")).toThrow(
    expect.objectContaining({ code: "invalid_value", param: "image" }),
  );
});
