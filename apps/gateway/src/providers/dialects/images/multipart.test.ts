import { expect, test } from "vitest";
import { imageInMemory } from "../../../domain/image-input.js";
import { encodeForm } from "./multipart.js";

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
