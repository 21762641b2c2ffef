import { GatewayError } from "../../errors.js";

export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

// A 4K image as base64 PNG stays well below this; an upstream that sends more in one event is broken.
const eventBytesMax = 128 * 1024 * 1024;

/** Reads server-sent events from chunks that may be cut anywhere. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<ServerSentEvent> {
  let event = "";
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === "") {
      if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
    } else if (line.startsWith("data:")) data.push(fieldValue(line, "data:"));
    else if (line.startsWith("event:")) event = fieldValue(line, "event:");
  }
  // Some servers leave out the blank line after the last event.
  if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
}

function fieldValue(line: string, field: string): string {
  const value = line.slice(field.length);
  return value.startsWith(" ") ? value.slice(1) : value;
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield decodeLine([...pending, chunk.subarray(start, end)]);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > eventBytesMax) {
      throw new GatewayError("upstream_invalid_answer", "The upstream sent an event that is too large.");
    }
  }
  if (pendingBytes > 0) yield decodeLine(pending);
}

function decodeLine(parts: Buffer[]): string {
  const line =
    parts.length === 1 && parts[0] !== undefined
      ? parts[0].toString("utf8")
      : Buffer.concat(parts).toString("utf8");
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
