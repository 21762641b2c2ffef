import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toFile, type Uploadable } from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect } from "./collect.js";
import { embeddedGateway, relayingGateway } from "./gateways.js";
import { bytesOf, createMask, createPhoto, isInside, pixelsWhere, readPixels } from "./pixels.js";

const embedded = embeddedGateway();
const relaying = relayingGateway();
const size = { width: 80, height: 64 };
const edit = { model: "local-sketch", prompt: "add a rocket" };

let folder: string;
let photo: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openai-sdk-"));
  photo = await createPhoto(size);
  await writeFile(join(folder, "photo.png"), photo);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const uploads: { name: string; image: () => Promise<Uploadable> | Uploadable }[] = [
  { name: "toFile without a type", image: () => toFile(photo, "photo.png") },
  { name: "toFile with a type", image: () => toFile(photo, "photo.png", { type: "image/png" }) },
  { name: "a File", image: () => new File([new Uint8Array(photo)], "photo.png", { type: "image/png" }) },
  { name: "an fs stream", image: () => createReadStream(join(folder, "photo.png")) },
];

describe.each(uploads)("an image given as $name", ({ image }) => {
  test("is edited by the embedded model", async () => {
    const response = await embedded.client.images.edit({ ...edit, image: await image() });

    const edited = await readPixels(bytesOf(response.data?.[0]));
    expect({ width: edited.width, height: edited.height }).toEqual(size);
    expect(edited.bytes).not.toEqual((await readPixels(photo)).bytes);
    expect(response.size).toBe("80x64");
  });

  test("reaches an upstream byte for byte, with its true type", async () => {
    await relaying.client.images.edit({ model: "image", prompt: "a fox", image: await image() });

    expect(relaying.upstream.received.at(-1)?.parts.filter(({ filename }) => filename !== undefined)).toEqual(
      [{ name: "image", filename: "image.png", type: "image/png", content: photo }],
    );
  });
});

test("a list of one image is one image", async () => {
  const image = [await toFile(photo, "photo.png")];

  await relaying.client.images.edit({ model: "image", prompt: "a fox", image });

  expect(relaying.upstream.received.at(-1)?.parts.filter(({ filename }) => filename)).toHaveLength(1);
});

test("several images, of several formats, all take part in the edit", async () => {
  const jpeg = await sharp(photo).negate().jpeg().toBuffer();
  const [first, second] = [await toFile(photo, "a.png"), await toFile(jpeg, "b.jpeg")];

  const one = await embedded.client.images.edit({ ...edit, image: [first] });
  const both = await embedded.client.images.edit({ ...edit, image: [first, second] });
  await relaying.client.images.edit({ model: "image", prompt: "a fox", image: [first, second] });

  expect(bytesOf(both.data?.[0])).not.toEqual(bytesOf(one.data?.[0]));
  expect(relaying.upstream.received.at(-1)?.parts.filter(({ filename }) => filename)).toEqual([
    { name: "image[]", filename: "image.png", type: "image/png", content: photo },
    { name: "image[]", filename: "image.jpeg", type: "image/jpeg", content: jpeg },
  ]);
});

test("a mask lets its transparent pixels be changed and keeps every other as it was", async () => {
  const hole = { left: 24, top: 16, width: 32, height: 32 };
  const mask = await toFile(await createMask(size, hole), "mask.png");
  const image = await toFile(photo, "photo.png");

  const response = await embedded.client.images.edit({ ...edit, image, mask });

  const [before, after] = [await readPixels(photo), await readPixels(bytesOf(response.data?.[0]))];
  const inHole = isInside(hole);
  const outsideHole = (x: number, y: number) => !inHole(x, y);
  expect({ width: after.width, height: after.height }).toEqual(size);
  expect(pixelsWhere(after, outsideHole)).toEqual(pixelsWhere(before, outsideHole));
  expect(pixelsWhere(after, inHole)).not.toEqual(pixelsWhere(before, inHole));
});

test("a mask reaches an upstream beside its image", async () => {
  const mask = await createMask(size, { left: 0, top: 0, width: 8, height: 8 });
  const files = { image: await toFile(photo, "photo.png"), mask: await toFile(mask, "mask.png") };

  await relaying.client.images.edit({ model: "image", prompt: "a fox", ...files });

  expect(relaying.upstream.received.at(-1)?.parts.filter(({ filename }) => filename)).toEqual([
    { name: "image", filename: "image.png", type: "image/png", content: photo },
    { name: "mask", filename: "mask.png", type: "image/png", content: mask },
  ]);
});

test("options that a form carries as text are honoured", async () => {
  const image = await toFile(photo, "photo.png");

  const response = await embedded.client.images.edit({
    ...edit,
    image,
    n: 2,
    size: "96x64",
    output_format: "webp",
    output_compression: 80,
  });

  const described = await Promise.all((response.data ?? []).map((image) => sharp(bytesOf(image)).metadata()));
  expect(described.map(({ format, width, height }) => ({ format, width, height }))).toEqual(
    Array(2).fill({ format: "webp", width: 96, height: 64 }),
  );
});

test("an edit streams its events, and the last one completes it", async () => {
  const image = await toFile(photo, "photo.png");
  const relayed = { model: "image", prompt: "a fox", image, stream: true, partial_images: 1 } as const;

  const drawn = await collect(await embedded.client.images.edit({ ...edit, image, stream: true }));
  const passedOn = await collect(await relaying.client.images.edit(relayed));

  expect(drawn.at(-1)).toMatchObject({ type: "image_edit.completed", size: "80x64" });
  expect(passedOn.map(({ type }) => type)).toEqual(["image_edit.partial_image", "image_edit.completed"]);
});
