import { setTimeout } from "node:timers/promises";
import type { ImageAnswer, ImageEvent } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import {
  type CallNeeds,
  type DrawJob,
  type DrawOperation,
  drawCall,
  type Maker,
  type RequestOf,
  withOutcome,
} from "./call-upstream.js";
import { acceptAnswer, makeImages, workOf } from "./collect-images.js";
import { fingerprint } from "./idempotency/fingerprint.js";
import type { Idempotency } from "./idempotency/idempotency.js";
import type { StoredAnswer } from "./idempotency/response-store.js";
import { type Delivery, type ImagePlan, planImages } from "./options/plan.js";
import { preflight } from "./options/preflight.js";
import { completedOf, drawEvents } from "./stream-images.js";

export type Drawn = { readonly replayed: boolean } & (
  | { readonly images: Schemas["ImagesResponse"]; readonly failedCount: number }
  | { readonly events: AsyncIterable<ImageEvent> }
);

export type Draw = <K extends DrawOperation>(job: DrawJob<K>) => Promise<Drawn>;

export interface DrawNeeds extends CallNeeds {
  readonly idempotency: Idempotency;
}

/** How long a stream waits before it begins, so that what fails soon fails with a status of its own. */
const firstByteMs = 5000;

/** Makes pictures: checked beforehand, by as many calls as it takes, each looked at, in the form that was asked for. */
export function createDraw(needs: DrawNeeds): Draw {
  return async (job) => {
    if ("images" in job.request) await preflight(job.request, job.model.profile);
    const plan = planImages(job.request, job.model.profile);
    if (job.idempotencyKey !== undefined) return drawOnce(job, plan, needs);
    await job.reserve();
    if (!plan.stream) return { ...(await drawWhole(job, plan, needs)), replayed: false };
    const beginning = drawEvents(job, plan, needs);
    await soon(beginning);
    return { events: eventually(beginning), replayed: false };
  };
}

async function drawOnce<K extends DrawOperation>(
  job: DrawJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<Drawn> {
  const { caller, operation, idempotencyKey: key = "", model, request, signal } = job;
  const claim = {
    caller,
    operation,
    key,
    fingerprint: await fingerprint(request, { model: model.id, allowPartial: job.allowPartial }),
    signal,
    onMaking: job.onWork,
  };
  // The work belongs to everybody who waits for it, so it ends when the last of them leaves.
  const running = needs.idempotency.run(claim, async (claimSignal) => {
    await job.reserve();
    return drawStored({ ...job, signal: claimSignal }, plan, needs);
  });
  if (plan.stream) {
    const settled = await soon(running);
    return {
      events: eventually(running.then(({ answer }) => eventsOf(answer))),
      replayed: settled?.replayed ?? false,
    };
  }
  const { answer, replayed } = await running;
  if (!("images" in answer)) throw new Error("A stream was stored where a document was asked for.");
  return { images: answer.images, failedCount: (request.n ?? 1) - answer.images.data.length, replayed };
}

async function drawStored<K extends DrawOperation>(
  job: DrawJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<StoredAnswer> {
  if (plan.stream) return { events: await completedOf(await drawEvents(job, plan, needs)) };
  return { images: (await drawWhole(job, plan, needs)).images };
}

async function drawWhole<K extends DrawOperation>(
  job: DrawJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<{ images: Schemas["ImagesResponse"]; failedCount: number }> {
  const { allowPartial, signal } = job;
  const tools = needs.toolsFor(job.model.targets[0].upstream, job.origin);
  const make = (call: RequestOf<K>, delivery: Delivery, callSignal: AbortSignal) => {
    const accept = async (answer: ImageAnswer, { tools: callTools, price }: Maker) => {
      if ("images" in answer) {
        const made = await acceptAnswer(
          answer,
          { count: call.n ?? 1, allowPartial, delivery },
          { tools: callTools, signal: callSignal },
        );
        job.onMade(workOf(made, price));
        return made;
      }
      throw new GatewayError("upstream_invalid_answer", "The upstream streamed where it was not asked to.");
    };
    return drawCall(job, { call, accept, signal: callSignal }, needs);
  };
  return makeImages(plan, make, { tools, allowPartial, signal }).catch((failure: unknown) =>
    Promise.reject(withOutcome(failure, signal)),
  );
}

/** Waits a moment for what may be over at once; gives it, or undefined where it takes longer. */
async function soon<T>(promise: Promise<T>): Promise<T | undefined> {
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

function eventsOf(answer: StoredAnswer): readonly ImageEvent[] {
  if ("events" in answer) return answer.events;
  throw new Error("A document was stored where a stream was asked for.");
}
