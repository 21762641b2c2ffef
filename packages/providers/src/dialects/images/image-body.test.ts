import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { imageInMemory } from "@model-gateway/domain/image-input";
import { expect, test } from "vitest";
import { dataUrls, encodeForm, encodeImageDocument } from "./image-body.js";

test("the form has its declared length, and decodes to the same parts", async () => {
  const image = imageInMemory(Buffer.from([0, 1, 2, 13, 10, 45, 45]), "png");

  const form = encodeForm([
    { name: "prompt", text: "é\r\n--" },
    { name: "image[]", image },
  ]);

  const body = Buffer.concat(await form.body().toArray());
  expect(String(body.length)).toBe(form.headers["content-length"]);
  const decoded = await new Response(body, {
    headers: { "content-type": form.headers["content-type"] },
  }).formData();
  expect(decoded.get("prompt")).toBe("é\r\n--");
  const file = decoded.get("image[]") as File;
  expect([file.name, file.type, Buffer.from(await file.arrayBuffer())]).toEqual([
    "image.png",
    "image/png",
    await image.read(),
  ]);
});

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

  const { headers, body } = encodeImageDocument((base64) => ({
    ...fields,
    init_images: [base64(image)],
    mask: base64(image),
  }));

  for (const sent of [await text(body()), await text(body())]) {
    expect(JSON.parse(sent)).toEqual({
      ...fields,
      init_images: [content.toString("base64")],
      mask: content.toString("base64"),
    });
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(sent)));
  }
});

test("a document has images as data URLs where it wants them", async () => {
  const [one, two] = [imageInMemory(Buffer.from("one"), "png"), imageInMemory(Buffer.from("four"), "webp")];

  const { headers, body } = encodeImageDocument((base64) => ({
    version: 1,
    input: { images: [two, one].map(dataUrls(base64)), prompt: 'a "fox"' },
  }));

  const content = await text(body());
  expect(JSON.parse(content)).toEqual({
    version: 1,
    input: {
      images: ["data:image/webp;base64,Zm91cg==", "data:image/png;base64,b25l"],
      prompt: 'a "fox"',
    },
  });
  expect(headers["content-length"]).toBe(String(content.length));
});
