import { clientFault, type GatewayFault, readFault, unexpectedResponse } from "../responses/gateway-fault.js";
import { isRecord, parseJson } from "../responses/json.js";
import type { Exchange } from "../responses/read-response.js";
import { fail, GatewayRequestError, type Result, succeed } from "../responses/result.js";
import type { components } from "../spec.js";
import { EventTooLargeError, readServerSentEvents, type ServerSentEvent } from "../sse.js";

interface StreamSettings<Event extends { type: string }> {
  readonly types: EventTypes<Event>;
  readonly eventBytesMax: number | undefined;
}

/** Reads the head of a stream. Its events are read as the caller iterates. */
export async function readStream<Event extends ImageEvent | ImageEditEvent>(
  exchange: Exchange,
  { types, eventBytesMax }: StreamSettings<Event>,
): Promise<Result<AsyncIterable<Event>>> {
  const { error, response } = exchange;
  if (!response.ok) return fail(response, readFault(error, response));
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return fail(response, unexpectedResponse(response, undefined));
  }
  return succeed(response, {
    [Symbol.asyncIterator]: () => readImageEvents(response, types, eventBytesMax),
  });
}

type Schemas = components["schemas"];

/** An event of `createImageStream`: an unfinished image or a finished one. */
export type ImageEvent = Exclude<Schemas["ImageGenerationStreamEvent"], Schemas["StreamErrorEvent"]>;

/** An event of `createImageEditStream`: an unfinished image or a finished one. */
export type ImageEditEvent = Exclude<Schemas["ImageEditStreamEvent"], Schemas["StreamErrorEvent"]>;

/** Every type of event in a stream, and whether it finishes an image. */
type EventTypes<Event extends { type: string }> = {
  readonly [Type in Event["type"]]: Progress;
};

type Progress = "unfinished" | "finished";

export const imageEventTypes: EventTypes<ImageEvent> = {
  "image_generation.partial_image": "unfinished",
  "image_generation.completed": "finished",
};

export const imageEditEventTypes: EventTypes<ImageEditEvent> = {
  "image_edit.partial_image": "unfinished",
  "image_edit.completed": "finished",
};

const eventBytesMaxDefault = 64 * 1024 * 1024;

/**
 * Reads the images of a stream. Throws a `GatewayRequestError` for an `error` event, for an event that is unreadable
 * or too large, and if the stream ends before an image is finished. Unknown types are skipped: the API may add some.
 */
export async function* readImageEvents<Event extends ImageEvent | ImageEditEvent>(
  response: Response,
  types: EventTypes<Event>,
  eventBytesMax = eventBytesMaxDefault,
): AsyncGenerator<Event, void, undefined> {
  const failWith = (fault: GatewayFault) => new GatewayRequestError(fail(response, fault));
  const progress = new Map(Object.entries<Progress>(types));
  const isEvent = (payload: unknown): payload is Event =>
    isRecord(payload) && typeof payload.type === "string" && progress.has(payload.type);
  let finished = false;
  try {
    for await (const event of readServerSentEvents(readChunks(response.body), { eventBytesMax })) {
      if (event.data === "[DONE]") break;
      const payload = parseJson(event.data);
      if (isError(event, payload)) throw failWith(readFault(payload, response));
      if (!isRecord(payload)) throw failWith(unreadable(event));
      if (!isEvent(payload)) continue;
      if (typeof payload.b64_json !== "string") throw failWith(unreadable(event));
      finished ||= progress.get(payload.type) === "finished";
      yield payload;
    }
  } catch (error) {
    if (error instanceof EventTooLargeError) throw failWith(clientFault("event_too_large", error.message));
    throw error;
  }
  if (!finished)
    throw failWith(clientFault("stream_incomplete", "The stream ended before an image was finished."));
}

async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  // The lock is never released: a second loop over the same stream then throws instead of yielding nothing.
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    // A failed body rejects its cancellation too, and its error is already being thrown.
    await reader.cancel().catch(() => undefined);
  }
}

function isError(event: ServerSentEvent, payload: unknown): boolean {
  return event.event === "error" || (isRecord(payload) && isRecord(payload.error));
}

function unreadable(event: ServerSentEvent): GatewayFault {
  return clientFault(
    "unexpected_response",
    `The stream contains an unreadable event: ${event.data.slice(0, 200)}`,
  );
}
