import { expect, test } from "vitest";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.js";

const tooLarge = () => new Error("too large");

test("events are the same wherever the chunks end", async () => {
  const text =
    ": ping\r\nevent: a\r\ndata: grün 🦊\r\n\r\nevent:b\ndata:1\ndata: 2\nid: 7\n\n\rdata: x\r\rdata: last";
  const bytes = new TextEncoder().encode(text);
  const want = [
    { event: "a", data: "grün 🦊" },
    { event: "b", data: "1\n2" },
    { event: "", data: "x" },
    { event: "", data: "last" },
  ];

  for (let size = 1; size <= bytes.length; size += 1) {
    const events = await collect(bodyOf(bytes, size));

    expect(events, `chunks of ${size} bytes`).toEqual(want);
  }
});

test("a byte order mark before the first line is not part of it", async () => {
  expect(await collect(bodyOf(new TextEncoder().encode("\ufeffdata: 1\n\n"), 1))).toEqual([
    { event: "", data: "1" },
  ]);
});

test.each([
  { name: "a line", text: `data: ${"x".repeat(20)}\n\n` },
  { name: "a line that never ends", text: "x".repeat(20) },
  { name: "many lines of one event", text: "data: 1234\ndata: 5678\ndata: 9012\n\n" },
])("$name beyond the limit is refused", async ({ text }) => {
  await expect(collect(bodyOf(new TextEncoder().encode(text), 3), 10)).rejects.toThrow("too large");
});

test("comments and finished events do not count against the limit", async () => {
  const text = `${": ping\n".repeat(10)}${"data: 1234\n\n".repeat(10)}`;

  expect(await collect(bodyOf(new TextEncoder().encode(text), 7), 10)).toHaveLength(10);
});

test("a long line is read in time that grows with its length", async () => {
  const bytes = new TextEncoder().encode(`data: ${"x".repeat(32 * 1024 * 1024)}\n\n`);

  const [event] = await collect(bodyOf(bytes, 16 * 1024), bytes.length);

  expect(event?.data).toHaveLength(32 * 1024 * 1024);
});

test("a second loop over one stream is refused", async () => {
  const body = bodyOf(new TextEncoder().encode("data: 1\n\n"), 1);
  await collect(body);

  await expect(collect(body)).rejects.toThrow(TypeError);
});

function bodyOf(bytes: Uint8Array, chunkBytes: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunkBytes));
      at += chunkBytes;
    },
  });
}

async function collect(body: ReadableStream<Uint8Array>, bytesMax = 1000): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readServerSentEvents(body, { bytesMax, tooLarge })) events.push(event);
  return events;
}
