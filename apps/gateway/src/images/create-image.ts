import type { ContentCredentials } from "@model-gateway/domain/content-credentials";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Target } from "@model-gateway/domain/model";
import type { ImageOperation } from "@model-gateway/domain/operations";
import type { ImageEvent, ImageReply, ImagesDocument } from "@model-gateway/domain/requests";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import type { LimitScope } from "../limits/limits.js";
import {
  callUpstream,
  type ImageJob,
  noteCredentials,
  type RequestOf,
  withUnknownOutcome,
} from "./call-upstream.js";
import { checkInputImages } from "./check-input-images.js";
import {
  billedWork,
  type CollectedImages,
  collectImages,
  type ImageCallResult,
  type RunImageCall,
  verifyReply,
} from "./collect-images.js";
import { usedBy } from "./cost.js";
import type { ImageDelivery } from "./delivery/deliver.js";
import type { ImageDecoder } from "./delivery/image-decoder.js";
import { meteredRequest, type PlannedJob, withFallback } from "./fallback.js";
import { countAgain, describeCreation } from "./idempotency/count-again.js";
import { fingerprint } from "./idempotency/fingerprint.js";
import type { Idempotency, IdempotentResult } from "./idempotency/idempotency.js";
import type { StoredResponse } from "./idempotency/response-store.js";
import { restoreEvents, restoreImages, storeEvents, storeImages } from "./idempotency/stored-images.js";
import { convertMask, type EncodeMask } from "./masks.js";
import { type DeliveryForm, type ImagePlan, planImages } from "./options/plan.js";
import { heldByDocument, withMemory } from "./reply-memory.js";
import { collectStream, completedOf, streamImages } from "./stream-images.js";

export type CreatedImages = {
  readonly replayed: boolean;
  /** The fallback that served the request; undefined if its own model did. */
  readonly servedBy?: string | undefined;
} & (
  | {
      readonly images: ImagesDocument;
      readonly failedCount: number;
      readonly credentials: ContentCredentials;
    }
  | { readonly events: AsyncIterable<ImageEvent> }
);

/** A request that can run later. */
interface CheckedImages extends Pick<DeliveryForm, "envelope"> {
  readonly fingerprint: string;
}

interface ImageServiceOptions {
  readonly dispatcher: Dispatcher;
  readonly delivery: ImageDelivery;
  readonly idempotency: Idempotency;
  readonly decoder: Pick<ImageDecoder, "encodeMask">;
}

/** Delay before the first byte of a stream, so that an early failure still gets its own status. */
const firstByteMs = 5000;

/** Creates images: options checked first, in as many calls as it takes, each image verified, in the requested form. */
export class ImageService {
  readonly #options: ImageServiceOptions;

  constructor(options: ImageServiceOptions) {
    this.#options = options;
  }

  async create<K extends ImageOperation>(given: ImageJob<K>): Promise<CreatedImages> {
    const { job, plan } = await this.#prepare(given);
    const { meter } = job;
    if (job.headers.idempotencyKey !== undefined) return this.#runOnce(job, plan);
    await meter.reserve();
    if (!plan.stream) {
      const { result, servedBy } = await withFallback({ job, plan }, (one) => this.#createDocument(one));
      noteCredentials(job.record, result.credentials);
      job.memory.settleReplies(heldByDocument(result.images));
      return { ...result, servedBy, replayed: false };
    }
    return this.#createStream({ job, plan });
  }

  /**
   * Everything that `create` checks before the first call, for a request that runs later. It takes nothing from the
   * limits and the budget.
   */
  async check<K extends ImageOperation>(given: ImageJob<K>): Promise<CheckedImages> {
    const { job, plan } = await this.#prepare(given, "rates");
    await job.meter.reserve();
    const { envelope } = plan.delivery;
    await this.#options.delivery.checkDeliverable(envelope);
    job.meter.giveBack();
    return { fingerprint: await fingerprintOf(job), envelope };
  }

  async #prepare<K extends ImageOperation>(given: ImageJob<K>, scope?: LimitScope): Promise<PlannedJob<K>> {
    const { request, model, meter } = given;
    await meter.admit(meteredRequest(given), scope);
    if ("images" in request) await checkInputImages(request, model.profile);
    const plan = planImages(request, model.profile, { showsProgress: given.onPartialImage !== undefined });
    return { job: withMemory(await this.#withMasks(given)), plan };
  }

  /** Falls back only before the first byte, since the headers name the model, and only where there is one call. */
  async #createStream<K extends ImageOperation>(planned: PlannedJob<K>): Promise<CreatedImages> {
    let mayFallBack = planned.plan.calls.length === 1;
    const starting = withFallback(
      planned,
      ({ job, plan }) => {
        const onArrived = (heldBytes: number) => job.memory.settleReplies(heldBytes);
        return streamImages(job, plan, { ...this.#options, onArrived });
      },
      () => mayFallBack,
    );
    const settled = await settledSoon(starting);
    mayFallBack = false;
    return {
      events: eventsFrom(starting.then(({ result }) => result)),
      servedBy: settled?.servedBy,
      replayed: false,
    };
  }

  async #withMasks<K extends ImageOperation>(job: ImageJob<K>): Promise<ImageJob<K>> {
    const { request, model, fallback, context } = job;
    if (!("images" in request) || request.mask === undefined) return job;
    const targets = [...model.targets, ...(fallback?.targets ?? [])];
    const { decoder } = this.#options;
    const encode: EncodeMask = (mask, form) => decoder.encodeMask(mask, form, context.caller);
    return { ...job, masks: await convertMask(request.mask, targets, encode) };
  }

  /** Runs the request once for all callers with its Idempotency-Key, and replays its stored response to later ones. */
  async #runOnce<K extends ImageOperation>(
    job: ImageJob<K>,
    plan: ImagePlan<RequestOf<K>>,
  ): Promise<CreatedImages> {
    const { operation, context, headers, meter } = job;
    const { idempotencyKey: key = "" } = headers;
    const idempotent = {
      caller: context.caller,
      operation,
      key,
      fingerprint: await fingerprintOf(job),
      signal: context.signal,
      onStarted: job.onBackgroundWork,
    };
    // The work belongs to all callers that wait for it, and once it is sent, to those that come back for it.
    const running = this.#options.idempotency.run(idempotent, async (signal, onSent) => {
      await meter.reserve();
      const onAttempt = () => {
        onSent();
        job.onAttempt();
      };
      return this.#createStorable({ job: { ...job, onAttempt, context: { ...context, signal } }, plan });
    });
    return plan.stream ? streamStored(job, running) : deliverStored(job, await running);
  }

  /** A stream for several callers has no fallback: those that read its headers early would not learn of it. */
  async #createStorable<K extends ImageOperation>({ job, plan }: PlannedJob<K>): Promise<StoredResponse> {
    if (plan.stream) {
      // They are delivered only if all of them can be stored.
      const delivered = { contentCredentials: "none" as ContentCredentials };
      const events = await completedOf(await streamImages(job, plan, { ...this.#options, delivered }));
      const stored = await inSlices(storeEvents(events), new TimeSlice());
      return { events: stored, credentials: delivered.contentCredentials, creation: describeCreation(job) };
    }
    const { result, servedBy } = await withFallback({ job, plan }, (one) => this.#createDocument(one));
    const { images, credentials } = result;
    return {
      images: await inSlices(storeImages(images), new TimeSlice()),
      credentials,
      creation: describeCreation(job),
      ...(servedBy === undefined ? {} : { servedBy }),
    };
  }

  async #createDocument<K extends ImageOperation>({ job, plan }: PlannedJob<K>): Promise<CollectedImages> {
    const { dispatcher, delivery } = this.#options;
    const { allowPartial } = job.headers;
    const { caller } = job.context;
    await delivery.checkDeliverable(plan.delivery.envelope);
    const callForImages: RunImageCall<RequestOf<K>> = (request, form, signal) =>
      callUpstream(
        job,
        {
          request,
          signal,
          accept: async (reply: ImageReply, target) => {
            const expected = { count: request.n ?? 1, allowPartial, delivery: form };
            const created =
              "images" in reply
                ? await verifyReply(reply, expected, { delivery, caller, target, signal })
                : await this.#collectStream(reply, { ...expected, job, request, target });
            job.meter.add(usedBy(await billedWork(created, target, request)));
            // The model that wrote an svg is billed apart, and its price is not known.
            if (created.svgUsage !== undefined) job.meter.markCostUnknown();
            return created;
          },
        },
        dispatcher,
      );
    try {
      return await collectImages(plan, callForImages, {
        delivery,
        caller,
        origin: job.origin,
        allowPartial,
        signal: job.context.signal,
      });
    } catch (failure) {
      throw withUnknownOutcome(failure, job.context.signal);
    }
  }

  #collectStream<K extends ImageOperation>(
    { events }: Extract<ImageReply, { events: unknown }>,
    { job, request, ...expected }: StreamedCall<K>,
  ): Promise<ImageCallResult> {
    if (request.stream !== true)
      throw new GatewayError("upstream_invalid_reply", "The upstream streamed without being asked to.");
    const { operation, onPartialImage } = job;
    const { partial_images } = request;
    return collectStream(
      events,
      { ...expected, caller: job.context.caller, operation, partial_images, onPartialImage },
      this.#options.delivery,
    );
  }
}

/** A call of a job for a document that the upstream streams, because partial images are wanted. */
interface StreamedCall<K extends ImageOperation> {
  readonly job: ImageJob<K>;
  readonly request: RequestOf<K>;
  readonly count: number;
  readonly delivery: DeliveryForm;
  readonly target: Target;
}

/** The events that the run will have stored. Its headers are sent before. */
async function streamStored<K extends ImageOperation>(
  { record }: ImageJob<K>,
  running: Promise<IdempotentResult>,
): Promise<CreatedImages> {
  const settled = await settledSoon(running);
  const events = running.then(({ response }) => {
    noteCredentials(record, response.credentials);
    return storedEvents(response);
  });
  return {
    events: eventsFrom(events),
    replayed: settled?.replayed ?? false,
    servedBy: settled?.response.servedBy,
  };
}

async function deliverStored<K extends ImageOperation>(
  job: ImageJob<K>,
  { response, replayed }: IdempotentResult,
): Promise<CreatedImages> {
  if (replayed) await countAgain(job, response);
  if (!("images" in response)) throw new Error("A stream was stored where a document was requested.");
  const { credentials, servedBy } = response;
  noteCredentials(job.record, credentials);
  const images = await inSlices(restoreImages(response.images), new TimeSlice());
  job.memory.settleReplies(heldByDocument(images));
  const failedCount = (job.request.n ?? 1) - response.images.data.length;
  return { images, failedCount, replayed, servedBy, credentials };
}

function fingerprintOf<K extends ImageOperation>({ request, model, headers }: ImageJob<K>): Promise<string> {
  return fingerprint(request, { model: model.id, allowPartial: headers.allowPartial });
}

/** Waits a moment for a promise that may settle soon. Undefined where it takes longer. */
function settledSoon<T>(promise: Promise<T>): Promise<T | undefined> {
  return withTimeout(promise, firstByteMs, () => undefined);
}

async function* eventsFrom(
  events: Promise<AsyncIterable<ImageEvent> | readonly ImageEvent[]>,
): AsyncGenerator<ImageEvent> {
  yield* await events;
}

async function storedEvents(response: StoredResponse): Promise<readonly ImageEvent[]> {
  if (!("events" in response)) throw new Error("A document was stored where a stream was requested.");
  return inSlices(restoreEvents(response.events), new TimeSlice());
}
