import { expect, test } from "vitest";
import { type EditForm, nameFiles, serializeForm } from "./edit-form.js";

const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

test("one picture is `image`, and scalars are text", async () => {
  const parts = await partsOf({ model: "m", prompt: "p", image: png, n: 2, stream: false });

  expect(parts).toEqual([
    ["model", "m"],
    ["prompt", "p"],
    ["n", "2"],
    ["stream", "false"],
    ["image", "image.png image/png"],
  ]);
});

test("several pictures are `image[]` in their order, and the mask has its own part", async () => {
  const image = [png, new File([png], "fox.png", { type: "image/png" })];

  const parts = await partsOf({ model: "m", prompt: "p", image, mask: new Blob([png]) });

  expect(parts.slice(2)).toEqual([
    ["image[]", "image-1.png image/png"],
    ["image[]", "fox.png image/png"],
    ["mask", "mask.png image/png"],
  ]);
});

test("a list of one picture is `image`", async () => {
  const parts = await partsOf({ model: "m", prompt: "p", image: [png] });

  expect(parts.slice(2)).toEqual([["image", "image-1.png image/png"]]);
});

test("null and undefined are left out", async () => {
  const form = { model: "m", prompt: "p", image: png, size: null, mask: null, user: undefined };

  const parts = await partsOf(form as unknown as EditForm);

  expect(parts.map(([name]) => name)).toEqual(["model", "prompt", "image"]);
});

async function partsOf(form: EditForm): Promise<[string, string][]> {
  const parts = serializeForm(await nameFiles(form));
  return [...parts].map(([name, part]) => [
    name,
    typeof part === "string" ? part : `${part.name} ${part.type}`,
  ]);
}
