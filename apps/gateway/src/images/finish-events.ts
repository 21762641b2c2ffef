import type { ImageEvent } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { finishPicture } from "./deliver.js";
import type { Delivery } from "./plan-images.js";

/**
 * Passes an upstream's events on, each picture looked at and in the format that was asked for. A stream that ends before
 * all pictures are finished is the upstream's failure; no client would notice it by itself.
 */
export async function* finishEvents(
  events: AsyncIterable<ImageEvent>,
  { count, delivery }: { count: number; delivery: Delivery },
): AsyncGenerator<ImageEvent> {
  let completed = 0;
  for await (const event of events) {
    const picture = await finishPicture(Buffer.from(event.b64_json, "base64"), delivery);
    if (event.type.endsWith(".completed")) completed += 1;
    yield {
      ...event,
      b64_json: picture.content.toString("base64"),
      size: picture.size,
      background: picture.background,
      output_format: picture.format,
    };
  }
  if (completed === count) return;
  throw new GatewayError(
    "upstream_invalid_answer",
    `The upstream's stream ended after ${completed} of ${count} pictures. Whether the others were made is not known.`,
  );
}
