import { clientFault, type GatewayFault, readFault } from "./gateway-fault.js";
import { GatewayRequestError } from "./gateway-request-error.js";
import { isRecord } from "./is-record.js";
import { parseJson } from "./parse-json.js";
import { fail } from "./result.js";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.js";
import type { components } from "./spec.js";

type Schemas = components["schemas"];

/** What `createImageStream` yields: unfinished pictures, then finished ones. */
export type ImageEvent = Exclude<Schemas["ImageGenerationStreamEvent"], Schemas["StreamErrorEvent"]>;

/** What `createImageEditStream` yields: unfinished pictures, then finished ones. */
export type ImageEditEvent = Exclude<Schemas["ImageEditStreamEvent"], Schemas["StreamErrorEvent"]>;

/** Every event of a stream by its type, and whether a picture is finished with it. */
export type EventTypes<Event extends { type: string }> = {
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
 * Reads the pictures of a stream. Throws a `GatewayRequestError` for an `error` event, for an event that can not be
 * read or is too large, and when the stream ends before any picture is finished. Types that this version does not
 * know are passed over, since the API may gain some.
 */
export async function* readImageEvents<Event extends ImageEvent | ImageEditEvent>(
  response: Response,
  types: EventTypes<Event>,
  eventBytesMax = eventBytesMaxDefault,
): AsyncGenerator<Event, void, undefined> {
  const failWith = (fault: GatewayFault) => new GatewayRequestError(fail(response, fault));
  const tooLarge = () =>
    failWith(clientFault("event_too_large", `An event of the stream is larger than ${eventBytesMax} bytes.`));
  const progress = new Map(Object.entries<Progress>(types));
  const isEvent = (payload: unknown): payload is Event =>
    isRecord(payload) && typeof payload.type === "string" && progress.has(payload.type);
  let finished = false;
  if (response.body) {
    for await (const event of readServerSentEvents(response.body, { bytesMax: eventBytesMax, tooLarge })) {
      if (event.data === "[DONE]") break;
      const payload = parseJson(event.data);
      if (isError(event, payload)) throw failWith(readFault(payload, response));
      if (!isRecord(payload)) throw failWith(unreadable(event));
      if (!isEvent(payload)) continue;
      if (typeof payload.b64_json !== "string") throw failWith(unreadable(event));
      finished ||= progress.get(payload.type) === "finished";
      yield payload;
    }
  }
  if (!finished)
    throw failWith(clientFault("stream_incomplete", "The stream ended before a picture was finished."));
}

function isError(event: ServerSentEvent, payload: unknown): boolean {
  return event.event === "error" || (isRecord(payload) && isRecord(payload.error));
}

function unreadable(event: ServerSentEvent): GatewayFault {
  return clientFault(
    "unexpected_answer",
    `The stream holds an event that can not be read: ${event.data.slice(0, 200)}`,
  );
}
