import { createSketcher } from "@model-gateway/sketch";
import { expect, test } from "vitest";
import type { ImageRequest } from "../../domain/requests.js";
import { createSketches } from "./sketch.js";

const sketcher = createSketcher();
const createImage = (options: Omit<ImageRequest, "prompt">) =>
  createSketches(
    { prompt: "a fox", size: "64x64", ...options },
    {
      event: "image_generation.completed",
      createImage: (given) => sketcher.createImage({ width: 64, height: 64, ...given }),
    },
  );

test.each<[Omit<ImageRequest, "prompt">, string]>([
  [{ style: "vivid" }, "style"],
  [{ moderation: "low" }, "moderation"],
  [{ input_fidelity: "high" }, "input_fidelity"],
])("%j is refused by name, whatever the profile of the model", async (options, param) => {
  await expect(createImage(options)).rejects.toMatchObject({ code: "unsupported_parameter", param });
});

test.each([
  ["hd", "high"],
  ["max", "high"],
  ["standard", "medium"],
  ["low", "low"],
  ["auto", "medium"],
] as const)("the quality %s becomes %s", async (quality, expected) => {
  const reply = await createImage({ quality });

  expect("images" in reply && reply.images.quality).toBe(expected);
});
