import { withTexts } from "@model-gateway/domain/test/with-texts";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { expect, test } from "vitest";
import { ImageReplies, readImageEvents } from "./images.js";

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(text: string, size = 1000): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readImageEvents(inChunks(text, size))) events.push(withTexts(event));
  return events;
}

async function readReply(reply: object | string, { count = 1, size = 1000 } = {}): Promise<unknown> {
  const text = typeof reply === "string" ? reply : JSON.stringify(reply);
  const read = async (onChunk: (chunk: Buffer) => void) => {
    for await (const chunk of inChunks(text, size)) onChunk(chunk);
  };
  return withTexts(await new ImageReplies(new BufferPool()).read({ read }, count));
}

const partial = { type: "image_generation.partial_image", b64_json: "AA==", quality: "é" };
const completed = { type: "image_generation.completed", b64_json: "AAA=" };
const stream = `: ping\n\nevent: a\ndata: ${JSON.stringify(partial)}\n\ndata: {"type":"new"}\r\n\r\ndata: ${JSON.stringify(completed)}\n\ndata: [DONE]\n\n`;

test.each([1, 2, 3, 7, 1000])(
  "image events are read from chunks of %d bytes, others skipped",
  async (size) => {
    expect(await readAll(stream, size)).toEqual([
      { type: partial.type, content: "AA==", quality: "é" },
      { type: completed.type, content: "AAA=" },
    ]);
  },
);

test("an event that never ends is an invalid reply", async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    while (true) yield chunk;
  }

  await expect(readImageEvents(endless()).next()).rejects.toMatchObject({ code: "upstream_invalid_reply" });
});

test("an event that is not JSON is an invalid reply", async () => {
  await expect(readAll("data: {\n\n")).rejects.toMatchObject({
    code: "upstream_invalid_reply",
    message: "The upstream's reply is not valid: an event is not JSON.",
  });
});

test("the message of an upstream's own error is not passed on", async () => {
  await expect(readReply({ error: { message: "secret", code: "boom" } })).rejects.toThrow(
    "The upstream reported an error instead of an image.",
  );
});

/** Large enough to be more than one chunk, and to be separated from its event. */
const large = Buffer.alloc(100_000, 7).toString("base64");

test.each([1, 7, 1000, 65_536])("images are read from chunks of %d bytes", async (size) => {
  const reply = {
    created: 5,
    data: [{ b64_json: large, revised_prompt: 'a "b64_json": "x"' }, { url: "https://a.example/b" }],
    b64_json: "not an image",
  };

  expect(await readReply(reply, { count: 2, size })).toEqual({
    created: 5,
    data: [{ content: large, revised_prompt: 'a "b64_json": "x"' }, { url: "https://a.example/b" }],
  });
});

test.each([
  ["escaped slashes", "AA\\/\\/", "AA//"],
  ["other escapes", "A\\u0041/\\u002f", "AA//"],
  ["line breaks", "AA\\r\\n//\\n", "AA//"],
  ["the URL-safe alphabet", "AA__", "AA//"],
  ["no padding", "AA", "AA=="],
  ["a data URL", "data:image/png;base64,AA==", "AA=="],
])("an image in base64 with %s is rewritten", async (_name, text, content) => {
  expect(await readReply(`{"created":5,"data":[{"b64_json":"${text}"}]}`)).toEqual({
    created: 5,
    data: [{ content }],
  });
});

test.each([
  ["a link", "https:\\/\\/a.example\\/b", { url: "https://a.example/b" }],
  ["a small data URL", "data:image\\/png;base64,AA==", { content: "AA==" }],
  ["a large data URL", `data:image/png;base64,${large}`, { content: large }],
])("under `url` may be %s", async (_name, url, image) => {
  expect(await readReply(`{"created":5,"data":[{"b64_json":"","url":"${url}"}]}`)).toEqual({
    created: 5,
    data: [image],
  });
});

test.each([
  ["an empty link", '""'],
  ["a link of megabytes", `"https://a.example/${large}"`],
  ["a link with an unknown escape", '"https:\\x"'],
  ["a list of links", '["https://a.example"]'],
])("a reply with %s has no image", async (_name, url) => {
  await expect(readReply(`{"data":[{"url":${url}}]}`)).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test.each(["transparent", "opaque", "auto", undefined])(
  "of a background, %s is read as it is",
  async (background) => {
    const isKnown = background === "transparent" || background === "opaque";
    const said = isKnown ? { background } : {};
    const event = { type: "image_edit.completed", b64_json: large, background };

    expect(await readReply({ created: 5, data: [{ b64_json: "AA==" }], background })).toEqual({
      created: 5,
      data: [{ content: "AA==" }],
      ...said,
    });
    expect(await readAll(`data: ${JSON.stringify(event)}\n\n`)).toEqual([
      { type: event.type, content: large, ...said },
    ]);
  },
);

test("a large event is read as a small one is", async () => {
  const tokens = { text_tokens: 1, image_tokens: 1 };
  const event = {
    type: "image_generation.completed",
    b64_json: large,
    created_at: 5,
    quality: "é",
    safety_identifier: "u-1",
    usage: { input_tokens: 2, input_tokens_details: tokens, output_tokens: 3, total_tokens: 5 },
  };

  const { b64_json: content, ...fields } = event;
  expect(await readAll(`data: ${JSON.stringify(event)}\n\n`, 10_000)).toEqual([{ ...fields, content }]);
});

test("fields that are not as they should be are absent, and the image is kept", async () => {
  const event = {
    type: "image_edit.completed",
    b64_json: "AA==",
    created_at: "now",
    quality: 5,
    safety_identifier: 5,
    usage: { total_tokens: 5 },
    new_field: true,
  };
  const document = { data: [{ b64_json: "AA==" }], safety_identifier: 5, svg_usage: { model: "a" } };

  expect(await readAll(`data: ${JSON.stringify(event)}\n\n`)).toEqual([
    { type: "image_edit.completed", content: "AA==" },
  ]);
  expect(await readReply(document)).toEqual({ created: expect.any(Number), data: [{ content: "AA==" }] });
});

test("the safety identifier and the usage of the model that wrote an svg are read", async () => {
  const svg_usage = {
    model: "a",
    input_tokens: 1,
    output_tokens: 2,
    reasoning_tokens: 1,
    total_tokens: 3,
  };
  const reply = { created: 5, data: [{ b64_json: "AA==" }], safety_identifier: null, svg_usage };

  expect(await readReply(reply)).toEqual({ ...reply, data: [{ content: "AA==" }] });
});
