import { expect, test } from "vitest";
import { nameFile, type PictureFile } from "./picture-file.js";

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
const jpeg = Buffer.from("\xff\xd8\xff\xe0rest", "latin1");
const webp = Buffer.from("RIFF\0\0\0\0WEBPrest", "latin1");

test.each<{ name: string; given: PictureFile; want: { name: string; type: string } }>([
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
    name: "a Blob that says only that it is bytes",
    given: new Blob([png], { type: "application/octet-stream" }),
    want: { name: "image.png", type: "image/png" },
  },
  {
    name: "a Blob with a type of its own, which is kept",
    given: new Blob([png], { type: "image/webp" }),
    want: { name: "image.webp", type: "image/webp" },
  },
  {
    name: "a File without a type, whose name is kept",
    given: new File([jpeg], "fox.jpeg"),
    want: { name: "fox.jpeg", type: "image/jpeg" },
  },
  {
    name: "bytes that are no picture",
    given: Buffer.from("hello"),
    want: { name: "image", type: "application/octet-stream" },
  },
])("$name", async ({ given, want }) => {
  const file = await nameFile(given, "image");

  expect({ name: file.name, type: file.type }).toEqual(want);
});

test("the bytes of a view are those of the view, not of the memory below it", async () => {
  const file = await nameFile(new Uint8Array(png).subarray(8), "image");

  expect(await file.text()).toBe("rest");
});

test("what holds no bytes is refused, not sent as an empty file", async () => {
  const path = "fox.png" as unknown as PictureFile;

  await expect(nameFile(path, "image")).rejects.toThrow(TypeError);
});
