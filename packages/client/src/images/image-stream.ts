import { failWith, openStream, readPayloads, unreadable } from "../responses/event-stream.js";
import { clientFault } from "../responses/gateway-fault.js";
import type { Exchange, Result } from "../responses/result.js";
import type { components } from "../spec.js";

interface StreamSettings<Event extends { type: string }> {
  readonly types: EventTypes<Event>;
  readonly eventBytesMax: number | undefined;
}

/** Reads the head of a stream. Its events are read as the caller iterates. */
export function readStream<Event extends ImageEvent | ImageEditEvent>(
  exchange: Exchange,
  { types, eventBytesMax }: StreamSettings<Event>,
): Promise<Result<AsyncIterable<Event>>> {
  return openStream(exchange, (response) => readImageEvents(response, types, eventBytesMax));
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

/**
 * Reads the images of a stream. Throws a `GatewayRequestError` for an `error` event, for an event that is unreadable
 * or too large, and if the stream ends before an image is finished. Unknown types are skipped: the API may add some.
 */
export async function* readImageEvents<Event extends ImageEvent | ImageEditEvent>(
  response: Response,
  types: EventTypes<Event>,
  eventBytesMax?: number,
): AsyncGenerator<Event, void, undefined> {
  const progress = new Map(Object.entries<Progress>(types));
  const isEvent = (payload: object): payload is Event =>
    "type" in payload && typeof payload.type === "string" && progress.has(payload.type);
  let finished = false;
  for await (const payload of readPayloads(response, eventBytesMax)) {
    if (!isEvent(payload)) continue;
    if (typeof payload.b64_json !== "string") throw failWith(response, unreadable(JSON.stringify(payload)));
    finished ||= progress.get(payload.type) === "finished";
    yield payload;
  }
  if (!finished)
    throw failWith(
      response,
      clientFault("stream_incomplete", "The stream ended before an image was finished."),
    );
}
