import { setTimeout } from "node:timers/promises";
import type { ImageEvent, ImageReply } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import type { Dispatcher } from "../scheduling/dispatch.js";
import { estimateTokens } from "../usage/usage-meter.js";
import {
  callUpstream,
  type ImageJob,
  type ImageOperation,
  type RequestOf,
  withUnknownOutcome,
} from "./call-upstream.js";
import { checkInputImages } from "./check-input-images.js";
import { collectImages, type RunImageCall, verifyReply, workOf } from "./collect-images.js";
import type { ImageDelivery } from "./delivery/deliver.js";
import { fingerprint } from "./idempotency/fingerprint.js";
import type { Idempotency } from "./idempotency/idempotency.js";
import type { StoredResponse } from "./idempotency/response-store.js";
import { type ImagePlan, planImages } from "./options/plan.js";
import { completedOf, streamImages } from "./stream-images.js";

export type CreatedImages = { readonly replayed: boolean } & (
  | { readonly images: Schemas["ImagesResponse"]; readonly failedCount: number }
  | { readonly events: AsyncIterable<ImageEvent> }
);

export interface ImageServiceOptions {
  readonly dispatcher: Dispatcher;
  readonly delivery: ImageDelivery;
  readonly idempotency: Idempotency;
}

/** How long a stream waits before its first byte, so that an early failure has a status of its own. */
const firstByteMs = 5000;

/** Creates images: options checked first, in as many calls as it takes, each image verified, in the requested form. */
export class ImageService {
  readonly #options: ImageServiceOptions;

  constructor(options: ImageServiceOptions) {
    this.#options = options;
  }

  async create<K extends ImageOperation>(given: ImageJob<K>): Promise<CreatedImages> {
    const job = withMemory(given);
    const { request, model, meter } = job;
    await meter.admit(meteredRequest(job));
    if ("images" in request) await checkInputImages(request, model.profile);
    const plan = planImages(request, model.profile);
    if (job.headers.idempotencyKey !== undefined) return this.#runOnce(job, plan);
    await meter.reserve();
    if (!plan.stream) return { ...(await this.#createDocument(job, plan)), replayed: false };
    const starting = streamImages(job, plan, this.#options);
    await settledSoon(starting);
    return { events: eventsFrom(starting), replayed: false };
  }

  /** Runs the request once for all callers with its Idempotency-Key, and replays its stored response to later ones. */
  async #runOnce<K extends ImageOperation>(
    job: ImageJob<K>,
    plan: ImagePlan<RequestOf<K>>,
  ): Promise<CreatedImages> {
    const { operation, model, request, context, headers, meter } = job;
    const { idempotencyKey: key = "", allowPartial } = headers;
    const idempotent = {
      caller: context.caller,
      operation,
      key,
      fingerprint: await fingerprint(request, { model: model.id, allowPartial }),
      signal: context.signal,
      onStarted: job.onBackgroundWork,
    };
    // The work belongs to all callers that wait for it: its signal aborts when the last of them has left.
    const running = this.#options.idempotency.run(idempotent, async (signal) => {
      await meter.reserve();
      return this.#createStorable({ ...job, context: { ...context, signal } }, plan);
    });
    if (plan.stream) {
      const settled = await settledSoon(running);
      return {
        events: eventsFrom(running.then(({ response }) => storedEvents(response))),
        replayed: settled?.replayed ?? false,
      };
    }
    const { response, replayed } = await running;
    if (!("images" in response)) throw new Error("A stream was stored where a document was requested.");
    return {
      images: response.images,
      failedCount: (request.n ?? 1) - response.images.data.length,
      replayed,
    };
  }

  async #createStorable<K extends ImageOperation>(
    job: ImageJob<K>,
    plan: ImagePlan<RequestOf<K>>,
  ): Promise<StoredResponse> {
    if (plan.stream) return { events: await completedOf(await streamImages(job, plan, this.#options)) };
    return { images: (await this.#createDocument(job, plan)).images };
  }

  async #createDocument<K extends ImageOperation>(
    job: ImageJob<K>,
    plan: ImagePlan<RequestOf<K>>,
  ): Promise<{ images: Schemas["ImagesResponse"]; failedCount: number }> {
    const { dispatcher, delivery } = this.#options;
    const { allowPartial } = job.headers;
    await delivery.checkDeliverable(plan.delivery.envelope);
    const callForImages: RunImageCall<RequestOf<K>> = (request, form, signal) =>
      callUpstream(
        job,
        {
          request,
          signal,
          accept: async (reply: ImageReply, { upstream, price }) => {
            if (!("images" in reply)) {
              throw new GatewayError(
                "upstream_invalid_answer",
                "The upstream streamed without being asked to.",
              );
            }
            const expected = { count: request.n ?? 1, allowPartial, delivery: form };
            const created = await verifyReply(reply, expected, { delivery, upstream, signal });
            job.meter.addImages(workOf(created, price));
            return created;
          },
        },
        dispatcher,
      );
    try {
      return await collectImages(plan, callForImages, {
        delivery,
        origin: job.origin,
        allowPartial,
        signal: job.context.signal,
      });
    } catch (failure) {
      throw withUnknownOutcome(failure, job.context.signal);
    }
  }
}

/** The memory of an image on its way from an upstream to a caller: its reply, its content and the response. */
const imageBytes = 16 * 1024 * 1024;

function withMemory<K extends ImageOperation>(job: ImageJob<K>): ImageJob<K> {
  const { context, memory, request } = job;
  const takeMemory = memory.forReplies((request.n ?? 1) * imageBytes, context.caller);
  return { ...job, context: { ...context, takeMemory } };
}

function meteredRequest<K extends ImageOperation>({ model, request }: ImageJob<K>) {
  const { prompt, n, size, quality } = request;
  return {
    model,
    tokens: estimateTokens(prompt),
    images: { count: n ?? 1, ...(size && { size }), ...(quality && { quality }) },
  };
}

/** Waits a moment for a promise that may settle soon. Undefined where it takes longer. */
async function settledSoon<T>(promise: Promise<T>): Promise<T | undefined> {
  const settled = new AbortController();
  promise.catch(() => undefined);
  const timeout = setTimeout(firstByteMs, undefined, { signal: settled.signal, ref: false }).catch(
    () => undefined,
  );
  return Promise.race([promise, timeout]).finally(() => settled.abort());
}

async function* eventsFrom(
  events: Promise<AsyncIterable<ImageEvent> | readonly ImageEvent[]>,
): AsyncGenerator<ImageEvent> {
  yield* await events;
}

function storedEvents(response: StoredResponse): readonly ImageEvent[] {
  if ("events" in response) return response.events;
  throw new Error("A document was stored where a stream was requested.");
}
