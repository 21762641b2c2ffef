import { GatewayError } from "@model-gateway/domain/errors";
import type { Target } from "@model-gateway/domain/model";
import type { ImageOperation, Schemas } from "@model-gateway/domain/operations";
import type {
  ImageEvent,
  ImageReply,
  PartialImage,
  UpstreamImageEvent,
} from "@model-gateway/domain/requests";
import { anySignal } from "@model-gateway/runtime/abort";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import {
  callUpstream,
  type ImageJob,
  type ImageRecord,
  noteCredentials,
  type RequestOf,
  withUnknownOutcome,
} from "./call-upstream.js";
import {
  billedWork,
  completedEvents,
  credentialsOf,
  type ImageCallResult,
  parallelCallsMax,
  verifyReply,
} from "./collect-images.js";
import { usedBy } from "./cost.js";
import type { FinishedImage, ImageDelivery } from "./delivery/deliver.js";
import type { DeliveryForm, ImagePlan } from "./options/plan.js";
import type { ImageVariant } from "./price-table.js";
import { heldByStream } from "./reply-memory.js";
import { streamedProperties, sumUsage, uncountedUsage } from "./response-fields.js";

interface StreamOptions {
  readonly dispatcher: Dispatcher;
  readonly delivery: ImageDelivery;
  /** The record of the images that are delivered. Absent: that of the job. */
  readonly delivered?: DeliveryRecord;
  /** Called when every call has its images, or the start of its stream, with the memory that they take from then on. */
  readonly onArrived?: (heldBytes: number) => void;
}

type DeliveryRecord = Pick<ImageRecord, "contentCredentials">;

/** Calls the upstream, by a stream if it supports that, and returns its images as events. */
export async function streamImages<K extends ImageOperation>(
  job: ImageJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  { dispatcher, delivery, delivered = job.record, onArrived }: StreamOptions,
): Promise<AsyncIterable<ImageEvent>> {
  const { model, context } = job;
  // The other calls are cancelled when one fails, or when the reader leaves.
  const cancellation = new AbortController();
  const signal = anySignal([context.signal, cancellation.signal]);
  const call = { form: plan.delivery, signal, dispatcher, delivery, delivered };
  // Calls to an upstream that streams start one after the other; calls to another start several at once.
  const semaphore = new Semaphore(model.profile.streaming ? 1 : parallelCallsMax);
  const started = plan.calls.map((request) => semaphore.run(() => startCall(job, request, call)));
  void Promise.all(started).then(
    (calls) => onArrived?.(heldByStream(calls)),
    // The reader of the events gets it.
    () => undefined,
  );
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

interface CallToStart extends Required<Omit<StreamOptions, "onArrived">> {
  readonly form: DeliveryForm;
  readonly signal: AbortSignal;
}

/** One call: the events of an upstream that streams as they come, or those of all its images at once. */
function startCall<K extends ImageOperation>(
  job: ImageJob<K>,
  request: RequestOf<K>,
  { form, signal, dispatcher, delivery, delivered }: CallToStart,
): Promise<AsyncIterable<ImageEvent> | ImageEvent[]> {
  const { operation, meter, context, headers } = job;
  const { caller } = context;
  const count = request.n ?? 1;
  const partialsMax = count * (request.partial_images ?? 0);
  const expected = { count, partialsMax, allowPartial: headers.allowPartial, delivery: form };
  const accept = async (reply: ImageReply, target: Target) => {
    if ("events" in reply) {
      const finished = finishEvents(reply.events, { ...expected, caller, operation, target }, delivery);
      return recordedEvents(finished, target, { meter, delivered });
    }
    const created = await verifyReply(reply, expected, { delivery, caller, target, signal });
    meter.add(usedBy(await billedWork(created, target, request)));
    noteCredentials(delivered, credentialsOf(created));
    return completedEvents(`${eventPrefix(operation)}.completed`, created);
  };
  return callUpstream(job, { request, accept, signal }, dispatcher);
}

function eventPrefix(operation: ImageOperation) {
  return operation === "createImage" ? "image_generation" : "image_edit";
}

/** An event for the caller, and the quality and usage that the upstream reported, which the event cannot leave open. */
interface FinishedEvent {
  readonly event: ImageEvent;
  readonly image: FinishedImage;
  readonly quality: string | undefined;
  readonly usage: Schemas["ImageUsage"] | undefined;
  readonly reportedUsd?: number | undefined;
}

/** Forwards events, and records them when the stream ends, in whatever way. */
async function* recordedEvents(
  events: AsyncIterable<FinishedEvent>,
  { price, isListPrice }: Target,
  { meter, delivered }: Pick<ImageJob<ImageOperation>, "meter"> & { readonly delivered: DeliveryRecord },
): AsyncGenerator<ImageEvent> {
  let isComplete = false;
  const images: ImageVariant[] = [];
  const usages: Schemas["ImageUsage"][] = [];
  let reported: number | undefined;
  try {
    for await (const { event, image, quality, usage, reportedUsd } of events) {
      if (event.type.endsWith(".completed")) {
        images.push({ size: event.size, quality: quality ?? "auto" });
        if (usage !== undefined) usages.push(usage);
        if (reportedUsd !== undefined) reported = (reported ?? 0) + reportedUsd;
        noteCredentials(delivered, image.credentials);
      }
      yield event;
    }
    isComplete = true;
  } finally {
    if (!isComplete) meter.markCostUnknown();
    const [first, ...others] = usages;
    const usage = first && sumUsage([first, ...others]);
    meter.add(usedBy({ price, images, ...withoutUndefined({ isListPrice, usage, reportedUsd: reported }) }));
  }
}

interface ProgressOptions extends Omit<ExpectedImages, "partialsMax"> {
  readonly partial_images: number | undefined;
  readonly onPartialImage: ((image: PartialImage) => void) | undefined;
}

/** Reads a stream to its end, as the images of a document. Its partial images are handed over as they arrive. */
export async function collectStream(
  events: AsyncIterable<UpstreamImageEvent>,
  { partial_images = 0, onPartialImage, ...expected }: ProgressOptions,
  delivery: ImageDelivery,
): Promise<ImageCallResult> {
  const completed: FinishedEvent[] = [];
  let hasBegun = false;
  try {
    const partialsMax = expected.count * partial_images;
    for await (const finished of finishEvents(events, { ...expected, partialsMax }, delivery)) {
      hasBegun = true;
      if (isPartial(finished.event)) onPartialImage?.(finished.event);
      else completed.push(finished);
    }
  } catch (failure) {
    // The upstream has worked on it, and may charge for that.
    throw hasBegun && failure instanceof GatewayError ? failure.with({ isCommitted: true }) : failure;
  }
  const [first] = completed;
  const reported = completed.map(({ reportedUsd }) => reportedUsd).filter((usd) => usd !== undefined);
  return {
    images: completed.map(({ image }) => ({ finished: image, revisedPrompt: undefined })),
    created: first?.event.created_at ?? 0,
    quality: first?.quality,
    usage: sumUsage(completed.map(({ usage }) => usage)),
    reportedUsd: reported.length === 0 ? undefined : reported.reduce((sum, usd) => sum + usd),
    computeSeconds: undefined,
    svgUsage: undefined,
    safetyIdentifier: first && "safety_identifier" in first.event ? first.event.safety_identifier : undefined,
  };
}

function isPartial(event: ImageEvent): event is PartialImage {
  return event.type.endsWith(".partial_image");
}

/** Reads a stream to its end, and returns its completed events. */
export async function completedOf(events: AsyncIterable<ImageEvent>): Promise<ImageEvent[]> {
  const completed: ImageEvent[] = [];
  for await (const event of events) if (event.type.endsWith(".completed")) completed.push(event);
  return completed;
}

interface ExpectedImages {
  readonly count: number;
  /** Further partial images are dropped. */
  readonly partialsMax: number;
  readonly delivery: DeliveryForm;
  readonly operation: "createImage" | "createImageEdit";
  readonly caller: string;
  readonly target: Target;
}

/**
 * Forwards an upstream's events, with each image checked and in the requested format. The stream ends after the last
 * image. Ending before that is a failure of the upstream, which a client could not notice by itself.
 */
async function* finishEvents(
  events: AsyncIterable<UpstreamImageEvent>,
  { count, partialsMax, delivery: form, operation, caller, target }: ExpectedImages,
  delivery: ImageDelivery,
): AsyncGenerator<FinishedEvent> {
  const prefix = eventPrefix(operation);
  let completed = 0;
  let partial = 0;
  for await (const event of events) {
    const isUnfinished = event.type.endsWith(".partial_image");
    if (isUnfinished && partial >= partialsMax) continue;
    const image = await delivery.finish(event.content, form, { caller, target, reported: event.background });
    const quality = event.quality ?? form.quality;
    const created_at = event.created_at ?? Math.floor(Date.now() / 1000);
    const fields = { b64_json: image.content, created_at, ...streamedProperties(image, quality) };
    if (isUnfinished) {
      const partial_image_index = event.partial_image_index ?? partial;
      partial += 1;
      const forwarded = { type: `${prefix}.partial_image`, ...fields, partial_image_index } as const;
      yield { event: forwarded, image, quality, usage: undefined };
      continue;
    }
    completed += 1;
    const { usage, reportedUsd, safety_identifier } = event;
    const forwarded = {
      type: `${prefix}.completed`,
      ...fields,
      usage: usage ?? uncountedUsage,
      ...(safety_identifier !== undefined && { safety_identifier }),
    } as const;
    yield { event: forwarded, image, quality, usage, reportedUsd };
    if (completed === count) return;
  }
  throw new GatewayError(
    "upstream_invalid_reply",
    `The upstream's stream ended after ${completed} of ${count} images.`,
  );
}
