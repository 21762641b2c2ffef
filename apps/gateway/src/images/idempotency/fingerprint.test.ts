import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { type ImageInput, imageInMemory } from "@model-gateway/domain/image-input";
import type { ImageEditRequest, ImageRequest } from "@model-gateway/domain/requests";
import { expect, test } from "vitest";
import { fingerprint } from "./fingerprint.js";

const image = (text: string) => imageInMemory(Buffer.from(text), "png");
const plain: ImageRequest = { prompt: "a cat", n: 2, size: "1024x1024" };
const edit: ImageEditRequest = { ...plain, images: [image("one"), image("two")] };

test("a fingerprint stays the same from release to release", async () => {
  const found = await fingerprint(plain, { model: "painter", allowPartial: false });

  expect(found).toBe("1831c84e7949c18ed5ef1a4e078e26523aaa8661b3a6c94fc73f5725c2d6d74f");
});

test("the order of the options and undefined options do not count", async () => {
  const reordered = { size: "1024x1024", user: undefined, n: 2, prompt: "a cat" } as unknown as ImageRequest;

  const [one, other] = await Promise.all([
    fingerprint(plain, { model: "painter", allowPartial: false }),
    fingerprint(reordered, { model: "painter", allowPartial: false }),
  ]);

  expect(other).toBe(one);
});

const variants: readonly (readonly [string, ImageRequest | ImageEditRequest, string])[] = [
  ["plain", plain, "painter"],
  ["another model", plain, "sketcher"],
  ["another prompt", { ...plain, prompt: "a dog" }, "painter"],
  ["another option", { ...plain, n: 3 }, "painter"],
  ["one option more", { ...plain, stream: true }, "painter"],
  ["images", edit, "painter"],
  ["images and a mask", { ...edit, mask: image("one") }, "painter"],
  ["the mask as markup", { ...edit, markup: image("one") }, "painter"],
  ["images in another order", { ...edit, images: [image("two"), image("one")] }, "painter"],
  ["images with another boundary between them", { ...edit, images: [image("onet"), image("wo")] }, "painter"],
  ["the images as one", { ...edit, images: [image("onetwo")] }, "painter"],
  ["the second image as the mask", { ...edit, images: [image("one")], mask: image("two") }, "painter"],
  ["another mask", { ...edit, images: [image("one")], mask: image("three") }, "painter"],
];

test("requests that differ have different fingerprints", async () => {
  const found = await Promise.all(
    variants.map(([, request, model]) => fingerprint(request, { model, allowPartial: false })),
  );

  expect(new Set(found).size).toBe(variants.length);
});

test("an image in many chunks and one in memory have the same fingerprint", async () => {
  const content = Buffer.alloc(3_000_000, "image");
  const chunks = Array.from({ length: 30 }, (_, index) =>
    content.subarray(index * 100_000, (index + 1) * 100_000),
  );
  const inChunks = { ...imageInMemory(content, "png"), stream: () => Readable.from(chunks) };

  const [streamed, inMemory] = await Promise.all(
    [inChunks, imageInMemory(content, "png")].map((image) =>
      fingerprint({ prompt: "a cat", images: [image] }, { model: "painter", allowPartial: false }),
    ),
  );

  expect(streamed).toBe(inMemory);
});

test("images are streamed one after the other and never held as a whole", async () => {
  let open = 0;
  let openMax = 0;
  const streamed: ImageInput = {
    ...image("picone"),
    read: () => Promise.reject(new Error("The image was read as a whole.")),
    stream: () =>
      Readable.from(
        (async function* () {
          open += 1;
          openMax = Math.max(openMax, open);
          yield Buffer.from("pic");
          yield Buffer.from("one");
          open -= 1;
        })(),
      ),
  };

  const found = await fingerprint(
    { ...edit, images: [streamed, streamed], mask: streamed },
    { model: "painter", allowPartial: false },
  );

  const whole = image("picone");
  expect(found).toBe(
    await fingerprint(
      { ...edit, images: [whole, whole], mask: whole },
      { model: "painter", allowPartial: false },
    ),
  );
  expect(openMax).toBe(1);
});

test("an image that cannot be read fails the request", async () => {
  const gone: ImageInput = { ...image("gone"), stream: () => createReadStream("/nowhere/at/all") };

  await expect(
    fingerprint({ ...edit, images: [gone] }, { model: "painter", allowPartial: false }),
  ).rejects.toThrow("ENOENT");
});
