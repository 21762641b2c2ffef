import { type SizeLimit, splitLines } from "./split-lines.js";

/** One event: its name, and its data lines joined. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Unlike a browser it
 * also gives an event whose closing blank line is missing, as OpenAI's clients do. To stop reading ends the request.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  limit: SizeLimit,
): AsyncGenerator<ServerSentEvent> {
  let event = "";
  let data: string[] = [];
  let dataLength = 0;
  for await (const line of splitLines(readChunks(body), limit)) {
    if (line === "") {
      if (data.length > 0) yield { event, data: data.join("\n") };
      [event, data, dataLength] = ["", [], 0];
      continue;
    }
    const { name, value } = readField(line);
    if (name === "event") event = value;
    if (name !== "data") continue;
    data.push(value);
    // Characters are never more than their bytes, and what is bounded here is memory.
    dataLength += value.length;
    if (dataLength > limit.bytesMax) throw limit.tooLarge();
  }
  if (data.length > 0) yield { event, data: data.join("\n") };
}

/** A line that begins with a colon is a comment: its name is empty, and nobody asks for that. */
function readField(line: string): { name: string; value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { name: line, value: "" };
  const valueStart = line[colon + 1] === " " ? colon + 2 : colon + 1;
  return { name: line.slice(0, colon), value: line.slice(valueStart) };
}

async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  // The lock is kept for good: a second loop over the same stream then throws instead of finding nothing.
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    // A body that has failed rejects its cancellation too, and that failure is on its way already.
    await reader.cancel().catch(() => undefined);
  }
}
