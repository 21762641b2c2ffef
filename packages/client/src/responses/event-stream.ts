import { EventTooLargeError, readServerSentEvents, type ServerSentEvent } from "../server-sent-events.js";
import type { ClientMethod } from "../spec.js";
import { clientFault, type FaultText, readFault, unexpectedResponse } from "./gateway-fault.js";
import { isRecord, parseJson } from "./json.js";
import { fail, GatewayRequestError, type Result, succeed } from "./result.js";

/** Reads the head of a stream. Its events are read as the caller iterates. */
export async function openStream<Event>(
  response: Response,
  read: () => AsyncIterator<Event>,
): Promise<Result<AsyncIterable<Event>>> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return fail(response, unexpectedResponse(response, undefined));
  }
  return succeed(response, { [Symbol.asyncIterator]: read });
}

const eventBytesMaxDefault = 64 * 1024 * 1024;

/**
 * The events of a stream. Throws a `GatewayRequestError` for an `error` event, for an event that is unreadable or too
 * large, and if the stream ends before the event that completes it. Unknown types are skipped: the API may add some.
 */
export async function* readEvents(
  response: Response,
  { events = {}, until }: Pick<ClientMethod, "events" | "until">,
  eventBytesMax?: number,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  const required = new Map(Object.entries(events));
  let isComplete = until === undefined;
  for await (const payload of readPayloads(response, eventBytesMax)) {
    const property = required.get(String(payload.type));
    if (property === undefined) continue;
    if (!Object.hasOwn(payload, property)) throw failWith(response, unreadable(JSON.stringify(payload)));
    isComplete ||= payload.type === until;
    yield payload;
  }
  if (!isComplete)
    throw failWith(
      response,
      clientFault("stream_incomplete", "The stream ended before an image was finished."),
    );
}

/** The payload of each event. Throws for an `error` event, and for an event that is unreadable or too large. */
async function* readPayloads(
  response: Response,
  eventBytesMax = eventBytesMaxDefault,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  try {
    for await (const event of readServerSentEvents(readChunks(response.body), { eventBytesMax })) {
      if (event.data === "[DONE]") break;
      const payload = parseJson(event.data);
      if (isError(event, payload)) throw failWith(response, readFault(payload, response));
      if (!isRecord(payload)) throw failWith(response, unreadable(event.data));
      yield payload;
    }
  } catch (error) {
    if (error instanceof EventTooLargeError)
      throw failWith(response, clientFault("event_too_large", error.message));
    throw error;
  }
}

function failWith(response: Response, fault: FaultText): GatewayRequestError {
  return new GatewayRequestError(fail(response, fault));
}

function unreadable(data: string): FaultText {
  return clientFault("unexpected_response", `The stream contains an unreadable event: ${data.slice(0, 200)}`);
}

async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  // The lock is never released: a second loop over the same stream then throws instead of yielding nothing.
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    // A failed body also rejects its cancellation, and its error is already being thrown.
    await reader.cancel().catch(() => undefined);
  }
}

function isError(event: ServerSentEvent, payload: unknown): boolean {
  return event.event === "error" || (isRecord(payload) && isRecord(payload.error));
}
