import { expect, test } from "vitest";
import { readImageEvents, readImages } from "./images.js";

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
