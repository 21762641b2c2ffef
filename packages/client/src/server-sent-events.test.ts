import { expect, test } from "vitest";
import {
  EventTooLargeError,
  readRawServerSentEvents,
  readServerSentEvents,
  type ServerSentEvent,
} from "./server-sent-events.js";

test("events are the same wherever the chunks end", async () => {
  const text =
    ": ping\r\nevent: a\r\ndata: grün 🦊\r\n\r\nevent:b\ndata:1\ndata: 2\nid: 7\n\n\rdata: x\r\rdata: last";
  const bytes = new TextEncoder().encode(text);

  for (let chunkBytes = 1; chunkBytes <= bytes.length; chunkBytes += 1) {
    const events = await read(text, { chunkBytes });

    expect(events, `chunks of ${chunkBytes} bytes`).toEqual([
      { event: "a", data: "grün 🦊" },
      { event: "b", data: "1\n2" },
      { event: "message", data: "x" },
      { event: "message", data: "last" },
    ]);
  }
});

test.each([
  { name: "a value without a space", text: "data:1\n\n", want: ["1"] },
  { name: "only the first space is left out", text: "data:  1 \n\n", want: [" 1 "] },
  { name: "a colon inside the value", text: "data: a: b\n\n", want: ["a: b"] },
  { name: "an empty line of data", text: "data: 1\ndata:\ndata\n\n", want: ["1\n\n"] },
  { name: "an event of empty data", text: "data\n\n", want: [""] },
  { name: "an event without data", text: "event: a\n\ndata: 1\n\n", want: ["1"] },
  { name: "a field that is not known", text: "dataset: 1\nDATA: 2\n data: 3\ndata: 4\n\n", want: ["4"] },
  { name: "a byte order mark at the start", text: "\ufeffdata: 1\n\n", want: ["1"] },
  { name: "a byte order mark elsewhere", text: "data: \ufeff1\n\n\ufeffdata: 2\n\n", want: ["\ufeff1"] },
  { name: "a last line without an end", text: "data: 1\ndata: 2", want: ["1\n2"] },
  { name: "a last event without a blank line", text: "data: 1\n\ndata: 2\n", want: ["1", "2"] },
  { name: "nothing", text: "", want: [] },
])("$name is read as the standard says", async ({ text, want }) => {
  for (const chunkBytes of [1, 2, 1000]) {
    const events = await read(text, { chunkBytes });

    expect(events.map(({ data }) => data)).toEqual(want);
  }
});

test("the name of an event does not outlive it", async () => {
  expect(await read("event: a\n\ndata: 1\n\nevent: b\ndata: 2\n\ndata: 3\n\n")).toEqual([
    { event: "message", data: "1" },
    { event: "b", data: "2" },
    { event: "message", data: "3" },
  ]);
});

test.each([
  { name: "a line", text: `data: ${"x".repeat(20)}\n\n` },
  { name: "a line that never ends", text: "x".repeat(20) },
  { name: "many lines of one event", text: "data: 1234\ndata: 5678\ndata: 9012\n\n" },
  { name: "many empty lines of one event", text: "data\n".repeat(20) },
])("$name beyond the limit is refused, in chunks and whole", async ({ text }) => {
  for (const chunkBytes of [3, 1000]) {
    const refused = read(text, { chunkBytes, eventBytesMax: 10 });

    await expect(refused).rejects.toThrow(new EventTooLargeError(10));
  }
});

test("an event before one that is too large is still read", async () => {
  const events = readServerSentEvents(inChunks("data: 1\n\ndata: 123456789\n\n", 1000), {
    eventBytesMax: 10,
  });

  expect(await events.next()).toEqual({ done: false, value: { event: "message", data: "1" } });
  await expect(events.next()).rejects.toThrow(EventTooLargeError);
});

test("comments and finished events do not count against the limit", async () => {
  const text = `${": ping\n".repeat(10)}${"data: 1234\n\n".repeat(10)}`;

  expect(await read(text, { chunkBytes: 7, eventBytesMax: 10 })).toHaveLength(10);
});

test("a long line is read in time that grows with its length", async () => {
  const eventBytesMax = 33 * 1024 * 1024;
  const text = `data: ${"x".repeat(32 * 1024 * 1024)}\n\n`;

  const [event] = await read(text, { chunkBytes: 16 * 1024, eventBytesMax });

  expect(event?.data).toHaveLength(32 * 1024 * 1024);
});

test.each(["\r", "\n", "\r\n"])(
  "many short lines that end in %j are read in linear time",
  async (lineEnd) => {
    const text = `data:1${lineEnd}${lineEnd}`.repeat(200_000);

    expect(await read(text, { chunkBytes: text.length })).toHaveLength(200_000);
  },
);

test("raw events have the bytes of their chunks, which are not copied", async () => {
  const chunk = new TextEncoder().encode("event: a\ndata: 1\ndata: é\n\n");
  async function* source() {
    yield chunk;
  }

  const events = [];
  for await (const event of readRawServerSentEvents(source(), { eventBytesMax: 1000 })) events.push(event);

  expect(events.map(({ event, data }) => [event, Buffer.concat(data).toString()])).toEqual([["a", "1\né"]]);
  expect(events[0]?.data.map(({ buffer }) => buffer === chunk.buffer)).toEqual([true, false, true]);
});

test("leaving the loop ends the source", async () => {
  let ended = false;
  async function* source() {
    try {
      yield new TextEncoder().encode("data: 1\n\ndata: 2\n\n");
    } finally {
      ended = true;
    }
  }

  for await (const _ of readServerSentEvents(source(), { eventBytesMax: 1000 })) break;

  expect(ended).toBe(true);
});

interface Given {
  readonly chunkBytes?: number;
  readonly eventBytesMax?: number;
}

async function read(text: string, { chunkBytes = 7, eventBytesMax = 1000 }: Given = {}) {
  const events: ServerSentEvent[] = [];
  for await (const event of readServerSentEvents(inChunks(text, chunkBytes), { eventBytesMax })) {
    events.push(event);
  }
  return events;
}

async function* inChunks(text: string, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

test.each([
  { name: "lines of a byte", text: "data:x\n".repeat(9000), chunkBytes: 65_536 },
  { name: "chunks of a byte", text: `data:${"x".repeat(100_000)}`, chunkBytes: 1 },
])("an event in many small pieces has few: $name", async ({ text, chunkBytes }) => {
  const bytes = new TextEncoder().encode(`${text}\n\n`);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };

  const events = [];
  for await (const { data } of readRawServerSentEvents(chunks(), { eventBytesMax: 1_000_000 }))
    events.push(data);
  const [data = []] = events;

  expect(events.length).toBe(1);
  expect(data.length).toBeLessThan(1300);
  const want = text
    .split("data:")
    .slice(1)
    .map((line) => line.trimEnd())
    .join("\n");
  expect(new TextDecoder().decode(Buffer.concat(data))).toBe(want);
});

test("an event of too many lines is refused, however short they are", async () => {
  await expect(read("data\n".repeat(10_001))).rejects.toThrow(EventTooLargeError);
});
