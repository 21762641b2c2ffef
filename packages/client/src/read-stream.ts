import { readFault, unexpectedAnswer } from "./gateway-fault.js";
import { type EventTypes, type ImageEditEvent, type ImageEvent, readImageEvents } from "./image-events.js";
import type { Exchange } from "./read-answer.js";
import { fail, type Result, succeed } from "./result.js";

interface StreamSettings<Event extends { type: string }> {
  readonly types: EventTypes<Event>;
  readonly eventBytesMax: number | undefined;
}

/** Reads the head of a stream; its events are read as the caller asks for them. */
export async function readStream<Event extends ImageEvent | ImageEditEvent>(
  exchange: Exchange,
  { types, eventBytesMax }: StreamSettings<Event>,
): Promise<Result<AsyncIterable<Event>>> {
  const { error, response } = exchange;
  if (!response.ok) return fail(response, readFault(error, response));
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return fail(response, unexpectedAnswer(response, undefined));
  }
  return succeed(response, {
    [Symbol.asyncIterator]: () => readImageEvents(response, types, eventBytesMax),
  });
}
