import { expect, test } from "vitest";
import { readImageEvents, readImages, readImagesReply } from "./images.js";

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(text: string, size = 1000): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readImageEvents(inChunks(text, size))) events.push(event);
  return events;
}

const partial = { type: "image_generation.partial_image", b64_json: "AA==", note: "é" };
const completed = { type: "image_generation.completed", b64_json: "AAA=" };
const stream = `: ping\n\nevent: a\ndata: ${JSON.stringify(partial)}\n\ndata: {"type":"new"}\r\n\r\ndata: ${JSON.stringify(completed)}\n\ndata: [DONE]\n\n`;

test.each([1, 2, 3, 7, 1000])(
  "image events are read from chunks of %d bytes, others skipped",
  async (size) => {
    expect(await readAll(stream, size)).toEqual([partial, completed]);
  },
);

test("an event that never ends is an invalid reply", async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    while (true) yield chunk;
  }

  await expect(readImageEvents(endless()).next()).rejects.toMatchObject({ code: "upstream_invalid_answer" });
});

test("an event that is not JSON is an invalid reply", async () => {
  await expect(readAll("data: {\n\n")).rejects.toMatchObject({
    code: "upstream_invalid_answer",
    message: "The upstream's reply is not valid: an event is not JSON.",
  });
});

test("the message of an upstream's own error is not passed on", () => {
  expect(() => readImages({ error: { message: "secret", code: "boom" } })).toThrow(
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
  const read = async (onChunk: (chunk: Buffer) => void) => {
    for await (const chunk of inChunks(JSON.stringify(reply), size)) onChunk(chunk);
  };

  expect(await readImagesReply({ read }, 2)).toEqual({ created: 5, data: reply.data });
});

test("escaped slashes of an image are unescaped", async () => {
  const text = JSON.stringify({ created: 5, data: [{ b64_json: "AA//" }] }).replaceAll("/", "\\/");
  const read = async (onChunk: (chunk: Buffer) => void) => onChunk(Buffer.from(text));

  expect(await readImagesReply({ read }, 1)).toEqual({ created: 5, data: [{ b64_json: "AA//" }] });
});

test("a large event is read as a small one is", async () => {
  const event = {
    type: "image_generation.completed",
    b64_json: large,
    usage: { total_tokens: 5 },
    size: "é",
  };

  expect(await readAll(`data: ${JSON.stringify(event)}\n\n`, 10_000)).toEqual([event]);
});
