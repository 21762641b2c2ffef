import type { Price, Target } from "../domain/model.js";
import type { ImageEvent, ImageReply } from "../domain/requests.js";
import { Semaphore } from "../domain/semaphore.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import { anySignal } from "../runtime/abort.js";
import type { Dispatcher } from "../scheduling/dispatch.js";
import type { ImageKind } from "../usage/cost.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import {
  callUpstream,
  type ImageJob,
  type ImageOperation,
  type RequestOf,
  withUnknownOutcome,
} from "./call-upstream.js";
import { completedEvents, parallelCallsMax, sumUsage, verifyReply, workOf } from "./collect-images.js";
import type { ImageDelivery } from "./delivery/deliver.js";
import type { DeliveryForm, ImagePlan } from "./options/plan.js";

/** Calls the upstream, by a stream if it supports that, and returns its images as events. */
export async function streamImages<K extends ImageOperation>(
  job: ImageJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  { dispatcher, delivery }: { readonly dispatcher: Dispatcher; readonly delivery: ImageDelivery },
): Promise<AsyncIterable<ImageEvent>> {
  const { operation, model, meter, context } = job;
  const { allowPartial } = job.headers;
  // The other calls are cancelled when one fails, or when the reader leaves.
  const cancellation = new AbortController();
  const signal = anySignal([context.signal, cancellation.signal]);
  const type = operation === "createImage" ? "image_generation.completed" : "image_edit.completed";

  const start = (request: RequestOf<K>): Promise<AsyncIterable<ImageEvent> | ImageEvent[]> => {
    const count = request.n ?? 1;
    const partialsMax = count * (request.partial_images ?? 0);
    const expected = { count, partialsMax, allowPartial, delivery: plan.delivery };
    const accept = async (reply: ImageReply, { upstream, price }: Target) => {
      if ("events" in reply)
        return meteredEvents(finishEvents(reply.events, { ...expected, operation }, delivery), price, meter);
      const created = await verifyReply(reply, expected, { delivery, upstream, signal });
      meter.addImages(workOf(created, price));
      return completedEvents(type, created);
    };
    return callUpstream(job, { request, accept, signal }, dispatcher);
  };
  // Calls to an upstream that streams start one after the other; calls to another start several at once.
  const semaphore = new Semaphore(model.profile.streaming ? 1 : parallelCallsMax);
  const started = plan.calls.map(async (call) => {
    await semaphore.acquire();
    return start(call).finally(() => semaphore.release());
  });
  for (const one of started) one.catch(() => undefined);
  await started[0]?.catch((failure: unknown) => {
    cancellation.abort(failure);
    throw failure;
  });
  return (async function* () {
    try {
      for (const one of started) yield* await one;
    } catch (failure) {
      throw withUnknownOutcome(failure, context.signal);
    } finally {
      cancellation.abort();
    }
  })();
}

/** Forwards events, and meters them when the stream ends, in whatever way. */
async function* meteredEvents(
  events: AsyncIterable<ImageEvent>,
  price: Price | undefined,
  meter: UsageMeter,
): AsyncGenerator<ImageEvent> {
  let isComplete = false;
  const images: ImageKind[] = [];
  const usages: Schemas["ImageUsage"][] = [];
  try {
    for await (const event of events) {
      if (event.type.endsWith(".completed")) {
        images.push({ size: event.size, quality: event.quality });
        if ("usage" in event && event.usage) usages.push(event.usage);
      }
      yield event;
    }
    isComplete = true;
  } finally {
    if (!isComplete) meter.markCostUnknown();
    const [first, ...others] = usages;
    const usage = first && sumUsage([first, ...others]);
    meter.addImages({ price, images, ...(usage && { usage }) });
  }
}

/** Reads a stream to its end, and returns its completed events. */
export async function completedOf(events: AsyncIterable<ImageEvent>): Promise<ImageEvent[]> {
  const completed: ImageEvent[] = [];
  for await (const event of events) if (event.type.endsWith(".completed")) completed.push(event);
  return completed;
}

interface ExpectedImages {
  readonly count: number;
  /** Partial images beyond those that were asked for are left out. */
  readonly partialsMax: number;
  readonly delivery: DeliveryForm;
  readonly operation: "createImage" | "createImageEdit";
}

/**
 * Forwards an upstream's events, with each image checked and in the requested format. The stream ends after the last
 * image. Ending before that is a failure of the upstream, which a client could not notice by itself.
 */
async function* finishEvents(
  events: AsyncIterable<ImageEvent>,
  { count, partialsMax, delivery: form, operation }: ExpectedImages,
  delivery: ImageDelivery,
): AsyncGenerator<ImageEvent> {
  const verb = operation === "createImage" ? "image_generation" : "image_edit";
  let completed = 0;
  let partial = 0;
  for await (const event of events) {
    const isPartial = event.type.endsWith(".partial_image");
    if (isPartial && partial >= partialsMax) continue;
    const image = await delivery.finish(Buffer.from(event.b64_json, "base64"), form);
    const fields = {
      b64_json: image.content.toString("base64"),
      created_at: event.created_at ?? Math.floor(Date.now() / 1000),
      size: image.size,
      quality: event.quality ?? form.quality ?? "auto",
      background: image.background,
      output_format: image.format,
    };
    if (isPartial) {
      const index = "partial_image_index" in event ? event.partial_image_index : partial;
      partial += 1;
      yield { type: `${verb}.partial_image`, ...fields, partial_image_index: index };
      continue;
    }
    completed += 1;
    const usage = "usage" in event && event.usage ? { usage: event.usage } : {};
    yield { type: `${verb}.completed`, ...fields, ...usage };
    if (completed === count) return;
  }
  throw new GatewayError(
    "upstream_invalid_answer",
    `The upstream's stream ended after ${completed} of ${count} images.`,
  );
}
