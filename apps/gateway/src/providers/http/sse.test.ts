import { expect, test } from "vitest";
import { readEvents } from "./sse.js";

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size: number): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readEvents(inPieces(text, size))) events.push(event);
  return events;
}

const stream = ': ping\n\nevent: a\ndata: {"é":1}\n\nevent:b\r\ndata:one\r\ndata: two\r\n\r\ndata: last';

test.each([1, 2, 3, 7, 1000])("events are read whole from pieces of %d bytes", async (size) => {
  expect(await read(stream, size)).toEqual([
    { event: "a", data: '{"é":1}' },
    { event: "b", data: "one\ntwo" },
    { event: "message", data: "last" },
  ]);
});
