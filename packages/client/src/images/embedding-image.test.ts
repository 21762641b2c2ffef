import { expect, test } from "vitest";
import { imagePart } from "./embedding-image.js";

const png = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");

test.each([
  ["a Buffer", png],
  ["an ArrayBuffer", Uint8Array.from(png).buffer],
  ["a File", new File([png], "a.png", { type: "image/png" })],
  ["a Blob without a type", new Blob([png])],
])("%s becomes a part with a data URL", async (_name, image) => {
  expect(await imagePart(image)).toEqual({
    type: "image_url",
    image_url: { url: `data:image/png;base64,${png.toString("base64")}` },
  });
});

test("an image of a megabyte is encoded whole", async () => {
  const large = Buffer.concat([png, Buffer.alloc(1_000_001, "abc")]);

  const { image_url } = await imagePart(large);

  expect(image_url.url).toBe(`data:image/png;base64,${large.toString("base64")}`);
});

test("a path is not an image", async () => {
  await expect(imagePart("a.png" as never)).rejects.toThrow(TypeError);
});
