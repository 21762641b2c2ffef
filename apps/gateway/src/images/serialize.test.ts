import { ImageBytes } from "@model-gateway/domain/image-bytes";
import { expect, test } from "vitest";
import { type SerializedImages, serializeEvent, serializeImages } from "./serialize.js";

function textOf({ chunks, bytes }: SerializedImages): string {
  const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  expect(bytes).toBe(whole.length);
  return whole.toString();
}

const image = (text: string) => ImageBytes.fromBinary(Buffer.from(text));

test("a response is the JSON of its images and their properties", () => {
  const fields = { created: 5, background: "opaque", size: "4x4" } as const;

  const text = textOf(
    serializeImages({
      ...fields,
      data: [
        { b64_json: image("one"), revised_prompt: 'a "fox" é' },
        { b64_json: image("two") },
        { url: "u" },
      ],
    }),
  );

  expect(JSON.parse(text)).toEqual({
    ...fields,
    data: [{ b64_json: "b25l", revised_prompt: 'a "fox" é' }, { b64_json: "dHdv" }, { url: "u" }],
  });
});

test("an event has its type, its image and its properties in one line", () => {
  const fields = {
    type: "image_generation.partial_image",
    created_at: 5,
    partial_image_index: 0,
    size: "4x4",
    quality: "auto",
    background: "opaque",
    output_format: "png",
  } as const;

  const [name, data, ...rest] = textOf(serializeEvent({ ...fields, b64_json: image("one") })).split("\n");

  expect([name, rest]).toEqual(["event: image_generation.partial_image", ["", ""]]);
  expect(JSON.parse(data?.replace("data: ", "") ?? "")).toEqual({ ...fields, b64_json: "b25l" });
});
