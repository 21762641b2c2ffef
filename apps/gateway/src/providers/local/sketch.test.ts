import { createSketcher } from "@model-gateway/local-models";
import { expect, test } from "vitest";
import type { ImageRequest } from "../../domain/requests.js";
import { sketchAnswer } from "./sketch.js";

const sketcher = createSketcher();
const draw = (options: Omit<ImageRequest, "prompt">) =>
  sketchAnswer(
    { prompt: "a fox", size: "64x64", ...options },
    {
      event: "image_generation.completed",
      draw: (given) => sketcher.draw({ width: 64, height: 64, ...given }),
    },
  );

test.each<[Omit<ImageRequest, "prompt">, string]>([
  [{ style: "vivid" }, "style"],
  [{ moderation: "low" }, "moderation"],
  [{ input_fidelity: "high" }, "input_fidelity"],
])("%j is refused by name, whatever profile the model was given", async (options, param) => {
  await expect(draw(options)).rejects.toMatchObject({ code: "unsupported_parameter", param });
});

test.each([
  ["hd", "high"],
  ["max", "high"],
  ["standard", "medium"],
  ["low", "low"],
  ["auto", "medium"],
] as const)("the quality %s of any profile is drawn as %s", async (quality, drawn) => {
  const answer = await draw({ quality });

  expect("images" in answer && answer.images.quality).toBe(drawn);
});
