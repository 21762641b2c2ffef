import sharp from "sharp";
import { expect, test } from "vitest";
import { createSketcher } from "./sketcher.js";

test("a 4096 by 4096 image can be created", async () => {
  const image = await createSketcher().createImage({
    prompt: "a fox in the forest",
    width: 4096,
    height: 4096,
    background: "opaque",
    format: "jpeg",
    compression: 50,
    quality: "medium",
    index: 0,
  });

  expect(await sharp(image).metadata()).toMatchObject({ width: 4096, height: 4096 });
});
