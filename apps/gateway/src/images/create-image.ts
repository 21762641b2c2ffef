import { setTimeout } from "node:timers/promises";
import type { ImageEvent, ImageReply } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import {
  type CallNeeds,
  callUpstream,
  type ImageJob,
  type ImageOperation,
  type RequestOf,
  type ServingTarget,
  withUnknownOutcome,
} from "./call-upstream.js";
import { collectImages, verifyReply, workOf } from "./collect-images.js";
import { fingerprint } from "./idempotency/fingerprint.js";
import type { Idempotency } from "./idempotency/idempotency.js";
import type { StoredResponse } from "./idempotency/response-store.js";
import { type Delivery, type ImagePlan, planImages } from "./options/plan.js";
import { preflight } from "./options/preflight.js";
import { completedOf, streamImages } from "./stream-images.js";

export type CreatedImages = { readonly replayed: boolean } & (
  | { readonly images: Schemas["ImagesResponse"]; readonly failedCount: number }
  | { readonly events: AsyncIterable<ImageEvent> }
);

export type Draw = <K extends ImageOperation>(job: ImageJob<K>) => Promise<CreatedImages>;

export interface DrawNeeds extends CallNeeds {
  readonly idempotency: Idempotency;
}

/** How long a stream waits before it begins, so that what fails soon fails with a status of its own. */
const firstByteMs = 5000;

/** Makes images: checked beforehand, by as many calls as it takes, each looked at, in the form that was asked for. */
export function createDraw(needs: DrawNeeds): Draw {
  return async (job) => {
    if ("images" in job.request) await preflight(job.request, job.model.profile);
    const plan = planImages(job.request, job.model.profile);
    if (job.idempotencyKey !== undefined) return runOnce(job, plan, needs);
    await job.reserve();
    if (!plan.stream) return { ...(await createDocument(job, plan, needs)), replayed: false };
    const beginning = streamImages(job, plan, needs);
    await settledSoon(beginning);
    return { events: eventually(beginning), replayed: false };
  };
}

async function runOnce<K extends ImageOperation>(
  job: ImageJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<CreatedImages> {
  const { caller, operation, idempotencyKey: key = "", model, request, signal } = job;
  const claim = {
    caller,
    operation,
    key,
    fingerprint: await fingerprint(request, { model: model.id, allowPartial: job.allowPartial }),
    signal,
    onMaking: job.onBackgroundWork,
  };
  // The work belongs to everybody who waits for it, so it ends when the last of them leaves.
  const running = needs.idempotency.run(claim, async (claimSignal) => {
    await job.reserve();
    return createStorable({ ...job, signal: claimSignal }, plan, needs);
  });
  if (plan.stream) {
    const settled = await settledSoon(running);
    return {
      events: eventually(running.then(({ response: answer }) => eventsOf(answer))),
      replayed: settled?.replayed ?? false,
    };
  }
  const { response: answer, replayed } = await running;
  if (!("images" in answer)) throw new Error("A stream was stored where a document was asked for.");
  return { images: answer.images, failedCount: (request.n ?? 1) - answer.images.data.length, replayed };
}

async function createStorable<K extends ImageOperation>(
  job: ImageJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<StoredResponse> {
  if (plan.stream) return { events: await completedOf(await streamImages(job, plan, needs)) };
  return { images: (await createDocument(job, plan, needs)).images };
}

async function createDocument<K extends ImageOperation>(
  job: ImageJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<{ images: Schemas["ImagesResponse"]; failedCount: number }> {
  const { allowPartial, signal } = job;
  const tools = needs.toolsFor(job.model.targets[0].upstream, job.origin);
  const make = (call: RequestOf<K>, delivery: Delivery, callSignal: AbortSignal) => {
    const accept = async (answer: ImageReply, { tools: callTools, price }: ServingTarget) => {
      if ("images" in answer) {
        const made = await verifyReply(
          answer,
          { count: call.n ?? 1, allowPartial, delivery },
          { tools: callTools, signal: callSignal },
        );
        job.onCreated(workOf(made, price));
        return made;
      }
      throw new GatewayError("upstream_invalid_answer", "The upstream streamed where it was not asked to.");
    };
    return callUpstream(job, { call, accept, signal: callSignal }, needs);
  };
  return collectImages(plan, make, { tools, allowPartial, signal }).catch((failure: unknown) =>
    Promise.reject(withUnknownOutcome(failure, signal)),
  );
}

/** Waits a moment for what may be over at once; gives it, or undefined where it takes longer. */
async function settledSoon<T>(promise: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController();
  promise.catch(() => undefined);
  const late = setTimeout(firstByteMs, undefined, { signal: patience.signal, ref: false }).catch(
    () => undefined,
  );
  return Promise.race([promise, late]).finally(() => patience.abort());
}

async function* eventually(
  events: Promise<AsyncIterable<ImageEvent> | readonly ImageEvent[]>,
): AsyncGenerator<ImageEvent> {
  yield* await events;
}

function eventsOf(answer: StoredResponse): readonly ImageEvent[] {
  if ("events" in answer) return answer.events;
  throw new Error("A document was stored where a stream was asked for.");
}
