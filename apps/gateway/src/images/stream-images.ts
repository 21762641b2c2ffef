import type { Price } from "../domain/model.js";
import type { ImageEvent, ImageReply } from "../domain/requests.js";
import { Semaphore } from "../domain/semaphore.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import { anySignal } from "../runtime/abort.js";
import type { ImageKind } from "../usage/cost.js";
import {
  type CallNeeds,
  callUpstream,
  type ImageJob,
  type ImageOperation,
  type RequestOf,
  type ServingTarget,
  withUnknownOutcome,
} from "./call-upstream.js";
import { completedEvents, parallelCallsMax, sumUsage, verifyReply, workOf } from "./collect-images.js";
import { finishImage } from "./delivery/deliver.js";
import type { Delivery, ImagePlan } from "./options/plan.js";

/** Asks the upstream, by a stream of its own where it has one, and tells its images as events. */
export async function streamImages<K extends ImageOperation>(
  job: ImageJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: CallNeeds,
): Promise<AsyncIterable<ImageEvent>> {
  const { operation, model, allowPartial } = job;
  // When one call fails, or nobody reads on, the others are given up.
  const giveUp = new AbortController();
  const signal = anySignal([job.signal, giveUp.signal]);
  const type = operation === "createImage" ? "image_generation.completed" : "image_edit.completed";

  const begin = (call: RequestOf<K>): Promise<AsyncIterable<ImageEvent> | ImageEvent[]> => {
    const wanted = { count: call.n ?? 1, allowPartial, delivery: plan.delivery };
    const accept = async (answer: ImageReply, { tools, price }: ServingTarget) => {
      if ("events" in answer)
        return meteredEvents(finishEvents(answer.events, { ...wanted, operation }), price, job);
      const made = await verifyReply(answer, wanted, { tools, signal });
      job.onCreated(workOf(made, price));
      return completedEvents(type, made);
    };
    return callUpstream(job, { call, accept, signal }, needs);
  };
  // An upstream that streams is asked for one after the other; one that does not, for several at once.
  const gate = new Semaphore(model.profile.streaming ? 1 : parallelCallsMax);
  const begun = plan.calls.map(async (call) => {
    await gate.acquire();
    return begin(call).finally(() => gate.release());
  });
  for (const one of begun) one.catch(() => undefined);
  await begun[0]?.catch((failure: unknown) => {
    giveUp.abort(failure);
    throw failure;
  });
  return (async function* () {
    try {
      for (const one of begun) yield* await one;
    } catch (failure) {
      throw withUnknownOutcome(failure, job.signal);
    } finally {
      giveUp.abort();
    }
  })();
}

/** Passes events on, and tells what they have cost when the stream is over, however it ends. */
async function* meteredEvents(
  events: AsyncIterable<ImageEvent>,
  price: Price | undefined,
  { onCreated, onLost }: Pick<ImageJob<ImageOperation>, "onCreated" | "onLost">,
): AsyncGenerator<ImageEvent> {
  let isWhole = false;
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
    isWhole = true;
  } finally {
    if (!isWhole) onLost();
    const [first, ...others] = usages;
    const usage = first && sumUsage([first, ...others]);
    onCreated({ price, images, ...(usage && { usage }) });
  }
}

/** The finished images of a stream that nobody watches. */
export async function completedOf(events: AsyncIterable<ImageEvent>): Promise<ImageEvent[]> {
  const completed: ImageEvent[] = [];
  for await (const event of events) if (event.type.endsWith(".completed")) completed.push(event);
  return completed;
}

interface Expected {
  readonly count: number;
  readonly delivery: Delivery;
  readonly operation: "createImage" | "createImageEdit";
}

/**
 * Passes an upstream's events on, each image looked at and in the format that was asked for. The stream is over with
 * its last image; one that ends before is the upstream's failure, which no client would notice by itself.
 */
export async function* finishEvents(
  events: AsyncIterable<ImageEvent>,
  { count, delivery, operation }: Expected,
): AsyncGenerator<ImageEvent> {
  const verb = operation === "createImage" ? "image_generation" : "image_edit";
  let completed = 0;
  let partial = 0;
  for await (const event of events) {
    const image = await finishImage(Buffer.from(event.b64_json, "base64"), delivery);
    const described = {
      b64_json: image.content.toString("base64"),
      created_at: event.created_at ?? Math.floor(Date.now() / 1000),
      size: image.size,
      quality: event.quality ?? delivery.quality ?? "auto",
      background: image.background,
      output_format: image.format,
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
    `The upstream's stream ended after ${completed} of ${count} images.`,
  );
}
