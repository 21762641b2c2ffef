import type { ImageRequest, UpstreamImageEvent } from "@model-gateway/domain/requests";
import { createSketcher, describeImage } from "@model-gateway/sketch";
import { expect, test } from "vitest";
import { createSketches } from "./sketch.js";

const sketcher = createSketcher();
const createImage = (options: Partial<ImageRequest>) =>
  createSketches(
    { prompt: "a fox", size: "64x64", ...options },
    {
      verb: "image_generation",
      unknownWords: sketcher.unknownWords,
      createImage: (given) => sketcher.createImage({ width: 64, height: 64, ...given }),
    },
  );

test.each<[Omit<ImageRequest, "prompt">, string]>([
  [{ style: "vivid" }, "style"],
  [{ moderation: "low" }, "moderation"],
  [{ input_fidelity: "high" }, "input_fidelity"],
  [{ complexity: "low" }, "complexity"],
  [{ frame_count: 2 }, "frame_count"],
  [{ frame_duration_ms: 2 }, "frame_duration_ms"],
  [{ svg: { model: "a" } }, "svg"],
])("%j is refused by name, whatever the profile of the model", async (options, param) => {
  await expect(createImage(options)).rejects.toMatchObject({ code: "unsupported_parameter", param });
});

test.each([
  ["a zorp and a fox", "a zorp and a fox (local-sketch has no drawing for: zorp)"],
  ["a fox and two rockets at night", undefined],
])("of %j, the revised prompt names the words that cannot be drawn", async (prompt, expected) => {
  const reply = await createImage({ prompt, n: 2 });

  expect("images" in reply && reply.images.data.map((image) => image.revised_prompt)).toEqual([
    expected,
    expected,
  ]);
});

test.each([0, 1, 3])("a stream has %i partial images before each image", async (partial_images) => {
  const reply = await createImage({ stream: true, partial_images, n: 2 });
  const events: UpstreamImageEvent[] = [];
  if ("events" in reply) for await (const event of reply.events) events.push(event);

  const partials = Array.from({ length: partial_images }, (_, index) => [
    "image_generation.partial_image",
    index,
  ]);
  const ofOne = [...partials, ["image_generation.completed", undefined]];
  expect(events.map(({ type, partial_image_index }) => [type, partial_image_index])).toEqual([
    ...ofOne,
    ...ofOne,
  ]);
  expect(new Set(events.map(({ content }) => content.toText())).size).toBe(events.length);
  for (const { content } of events)
    expect(await describeImage(Buffer.from(content.toText(), "base64"))).toMatchObject({
      width: 64,
      height: 64,
    });
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

test("a gif is refused by name, whatever the profile of the model", async () => {
  await expect(createImage({ output_format: "gif" })).rejects.toMatchObject({
    code: "unsupported_value",
    param: "output_format",
  });
});

test.each([
  [{ safety_identifier: "a", user: "b" }, "a"],
  [{ safety_identifier: "", user: "b" }, "b"],
  [{}, undefined],
])("of %j, the safety identifier %s is returned", async (options, expected) => {
  const reply = await createImage(options);

  expect("images" in reply && reply.images.safety_identifier).toBe(expected);
});
