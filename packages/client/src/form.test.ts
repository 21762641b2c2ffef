import { expect, test } from "vitest";
import { type EditForm, type FileContent, nameFile, writeForm } from "./form.js";
import { clientMethods } from "./spec.js";

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
const jpeg = Buffer.from("\xff\xd8\xff\xe0rest", "latin1");
const webp = Buffer.from("RIFF\0\0\0\0WEBPrest", "latin1");

test("one image is `image`, and scalars are text", async () => {
  const parts = await partsOf({ model: "m", prompt: "p", image: png, n: 2, stream: false });

  expect(parts).toEqual([
    ["model", "m"],
    ["prompt", "p"],
    ["n", "2"],
    ["stream", "false"],
    ["image", "image.png image/png"],
  ]);
});

test("several images are `image[]` in their order, and the mask has its own part", async () => {
  const image = [png, new File([png], "fox.png", { type: "image/png" })];

  const parts = await partsOf({ model: "m", prompt: "p", image, mask: new Blob([png]) });

  expect(parts.slice(2)).toEqual([
    ["image[]", "image-1.png image/png"],
    ["image[]", "fox.png image/png"],
    ["mask", "mask.png image/png"],
  ]);
});

test("markup has a separate part", async () => {
  const parts = await partsOf({ model: "m", prompt: "p", image: png, markup: png });

  expect(parts.slice(2)).toEqual([
    ["image", "image.png image/png"],
    ["markup", "markup.png image/png"],
  ]);
});

test("a list of one image is `image`", async () => {
  const parts = await partsOf({ model: "m", prompt: "p", image: [png] });

  expect(parts.slice(2)).toEqual([["image", "image-1.png image/png"]]);
});

test("null and undefined are left out", async () => {
  const form = { model: "m", prompt: "p", image: png, size: null, mask: null, user: undefined };

  const parts = await partsOf(form as unknown as EditForm);

  expect(parts.map(([name]) => name)).toEqual(["model", "prompt", "image"]);
});

async function partsOf(form: EditForm): Promise<[string, string][]> {
  const parts = await writeForm({ ...form }, clientMethods.createImageEdit.files ?? {});
  return [...parts].map(([name, part]) => [
    name,
    typeof part === "string" ? part : `${part.name} ${part.type}`,
  ]);
}

test.each<{ name: string; given: FileContent; want: { name: string; type: string } }>([
  { name: "a Buffer with a PNG", given: png, want: { name: "image.png", type: "image/png" } },
  {
    name: "a Uint8Array with a JPEG",
    given: new Uint8Array(jpeg),
    want: { name: "image.jpg", type: "image/jpeg" },
  },
  {
    name: "an ArrayBuffer with a WebP",
    given: new Uint8Array(webp).buffer,
    want: { name: "image.webp", type: "image/webp" },
  },
  { name: "a Blob without a type", given: new Blob([png]), want: { name: "image.png", type: "image/png" } },
  {
    name: "a Blob of type application/octet-stream",
    given: new Blob([png], { type: "application/octet-stream" }),
    want: { name: "image.png", type: "image/png" },
  },
  {
    name: "a Blob with its own type, which is kept",
    given: new Blob([png], { type: "image/webp" }),
    want: { name: "image.webp", type: "image/webp" },
  },
  {
    name: "a File without a type, whose name is kept",
    given: new File([jpeg], "fox.jpeg"),
    want: { name: "fox.jpeg", type: "image/jpeg" },
  },
  {
    name: "bytes that are not an image",
    given: Buffer.from("hello"),
    want: { name: "image", type: "application/octet-stream" },
  },
])("$name", async ({ given, want }) => {
  const file = await nameFile(given, "image");

  expect({ name: file.name, type: file.type }).toEqual(want);
});

test("only a view's bytes are sent, not all of its buffer", async () => {
  const file = await nameFile(new Uint8Array(png).subarray(8), "image");

  expect(await file.text()).toBe("rest");
});

test("a path is refused, not sent as an empty file", async () => {
  const path = "fox.png" as unknown as FileContent;

  await expect(nameFile(path, "image")).rejects.toThrow(TypeError);
});
