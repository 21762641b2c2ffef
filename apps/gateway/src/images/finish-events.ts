import type { ImageEvent } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { finishPicture } from "./deliver.js";
import type { Delivery } from "./plan-images.js";

interface Expected {
  readonly count: number;
  readonly delivery: Delivery;
  readonly operation: "createImage" | "createImageEdit";
}

/**
 * Passes an upstream's events on, each picture looked at and in the format that was asked for. The stream is over with
 * its last picture; one that ends before is the upstream's failure, which no client would notice by itself.
 */
export async function* finishEvents(
  events: AsyncIterable<ImageEvent>,
  { count, delivery, operation }: Expected,
): AsyncGenerator<ImageEvent> {
  const verb = operation === "createImage" ? "image_generation" : "image_edit";
  let completed = 0;
  let partial = 0;
  for await (const event of events) {
    const picture = await finishPicture(Buffer.from(event.b64_json, "base64"), delivery);
    const described = {
      b64_json: picture.content.toString("base64"),
      created_at: event.created_at ?? Math.floor(Date.now() / 1000),
      size: picture.size,
      quality: event.quality ?? delivery.quality ?? "auto",
      background: picture.background,
      output_format: picture.format,
    };
    if (event.type.endsWith(".partial_image")) {
      const index = "partial_image_index" in event ? event.partial_image_index : partial;
      partial += 1;
      yield { type: `${verb}.partial_image`, ...described, partial_image_index: index };
      continue;
    }
    completed += 1;
    const usage = "usage" in event && event.usage ? { usage: event.usage } : {};
    yield { type: `${verb}.completed`, ...described, ...usage };
    if (completed === count) return;
  }
  throw new GatewayError(
    "upstream_invalid_answer",
    `The upstream's stream ended after ${completed} of ${count} pictures.`,
  );
}
