import { setTimeout } from "node:timers/promises";
import type { Adapter } from "../adapters/adapter.js";
import { Gate } from "../domain/gate.js";
import type { ImageModel } from "../domain/model.js";
import type { ImageAnswer, ImageEditRequest, ImageEvent, ImageRequest } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import type { Dispatch } from "../scheduling/dispatch.js";
import { acceptAnswer } from "./accept-answer.js";
import type { StoredAnswer } from "./answer-store.js";
import type { DeliveryTools } from "./deliver.js";
import { finishEvents } from "./finish-events.js";
import type { Idempotency } from "./idempotency.js";
import { completedEvents, makeImages, parallelCallsMax } from "./make-images.js";
import { type Delivery, type ImagePlan, planImages } from "./plan-images.js";
import { preflight } from "./preflight.js";
import { fingerprint } from "./request-fingerprint.js";
import { withOutcome } from "./unknown-outcome.js";

type DrawOperation = "createImage" | "createImageEdit";
type RequestOf<K extends DrawOperation> = K extends "createImage" ? ImageRequest : ImageEditRequest;

/** Who wants pictures, and how. */
export interface DrawJob<K extends DrawOperation> {
  readonly operation: K;
  readonly model: ImageModel;
  readonly request: RequestOf<K>;
  readonly caller: string;
  readonly idempotencyKey: string | undefined;
  readonly allowPartial: boolean;
  /** The address under which the caller reaches the gateway, for links. */
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly onUpstream: (name: string, attempts: number) => void;
  /** Told of work that may outlive the caller, and still needs the pictures it sent. */
  readonly onWork: (work: Promise<unknown>) => void;
}

export type Drawn = { readonly replayed: boolean } & (
  | { readonly images: Schemas["ImagesResponse"]; readonly failedCount: number }
  | { readonly events: AsyncIterable<ImageEvent> }
);

export type Draw = <K extends DrawOperation>(job: DrawJob<K>) => Promise<Drawn>;

export interface DrawNeeds {
  readonly dispatch: Dispatch;
  /** What hands over the pictures of an upstream. */
  readonly toolsFor: (upstream: string, origin: string) => DeliveryTools;
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
    if (!plan.stream) return { ...(await drawWhole(job, plan, needs)), replayed: false };
    const beginning = beginEvents(job, plan, needs);
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
  };
  const running = needs.idempotency.run(claim, (claimSignal) => {
    // The work belongs to everybody who waits for it, so it ends when the last of them leaves.
    const work = drawStored({ ...job, signal: claimSignal }, plan, needs);
    job.onWork(work);
    return work;
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
  if (plan.stream) return { events: await completedOf(await beginEvents(job, plan, needs)) };
  return { images: (await drawWhole(job, plan, needs)).images };
}

async function drawWhole<K extends DrawOperation>(
  job: DrawJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  { dispatch, toolsFor }: DrawNeeds,
): Promise<{ images: Schemas["ImagesResponse"]; failedCount: number }> {
  const { allowPartial, signal } = job;
  const tools = toolsFor(job.model.targets[0].upstream, job.origin);
  const make = (call: RequestOf<K>, delivery: Delivery, callSignal: AbortSignal) =>
    drawCall(job, { call, delivery, signal: callSignal, dispatch, toolsFor });
  return makeImages(plan, make, { tools, allowPartial, signal }).catch((failure: unknown) =>
    Promise.reject(withOutcome(failure, signal)),
  );
}

interface OneCall<K extends DrawOperation> extends Pick<DrawNeeds, "dispatch" | "toolsFor"> {
  readonly call: RequestOf<K>;
  readonly delivery: Delivery;
  readonly signal: AbortSignal;
}

async function drawCall<K extends DrawOperation>(
  job: DrawJob<K>,
  { call, delivery, signal, dispatch, toolsFor }: OneCall<K>,
) {
  const { operation, model, allowPartial, onUpstream } = job;
  const { result, upstream, attempts } = await dispatch({
    operation,
    model,
    request: () => call as Parameters<NonNullable<Adapter[K]>>[0],
    caller: job.caller,
    tokens: 0,
    accept: (answer: ImageAnswer, target) => {
      if (!("images" in answer))
        throw new GatewayError("upstream_invalid_answer", "The upstream streamed where it was not asked to.");
      const tools = toolsFor(target.upstream, job.origin);
      return acceptAnswer(answer, { count: call.n ?? 1, allowPartial, delivery }, { tools, signal });
    },
    signal,
  }).catch((failure: unknown) => Promise.reject(withOutcome(failure, signal)));
  onUpstream(upstream, attempts);
  return result;
}

/** Asks the upstream, by a stream of its own where it has one, and tells its pictures as events. */
async function beginEvents<K extends DrawOperation>(
  job: DrawJob<K>,
  plan: ImagePlan<RequestOf<K>>,
  needs: DrawNeeds,
): Promise<AsyncIterable<ImageEvent>> {
  const { operation, model, signal, onUpstream } = job;
  const type = operation === "createImage" ? "image_generation.completed" : "image_edit.completed";
  const begin = async (call: RequestOf<K>): Promise<AsyncIterable<ImageEvent> | ImageEvent[]> => {
    if (!model.profile.streaming) {
      return completedEvents(type, await drawCall(job, { ...needs, call, delivery: plan.delivery, signal }));
    }
    const { result, upstream, attempts } = await needs
      .dispatch({
        operation,
        model,
        request: () => call as Parameters<NonNullable<Adapter[K]>>[0],
        caller: job.caller,
        tokens: 0,
        accept: async (answer: ImageAnswer, target) => {
          const count = call.n ?? 1;
          if ("events" in answer)
            return finishEvents(answer.events, { count, delivery: plan.delivery, operation });
          const tools = needs.toolsFor(target.upstream, job.origin);
          const limits = { count, allowPartial: job.allowPartial, delivery: plan.delivery };
          return completedEvents(type, await acceptAnswer(answer, limits, { tools, signal }));
        },
        signal,
      })
      .catch((failure: unknown) => Promise.reject(withOutcome(failure, signal)));
    onUpstream(upstream, attempts);
    return result;
  };
  // An upstream that streams is asked for one after the other; one that does not, for several at once.
  const gate = new Gate(model.profile.streaming ? 1 : parallelCallsMax);
  const begun = plan.calls.map(async (call) => {
    await gate.enter();
    return begin(call).finally(() => gate.leave());
  });
  for (const one of begun) one.catch(() => undefined);
  await begun[0];
  return (async function* () {
    try {
      for (const one of begun) yield* await one;
    } catch (failure) {
      throw withOutcome(failure, signal);
    }
  })();
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

async function completedOf(events: AsyncIterable<ImageEvent>): Promise<ImageEvent[]> {
  const completed: ImageEvent[] = [];
  for await (const event of events) if (event.type.endsWith(".completed")) completed.push(event);
  return completed;
}

function eventsOf(answer: StoredAnswer): readonly ImageEvent[] {
  if ("events" in answer) return answer.events;
  throw new Error("A document was stored where a stream was asked for.");
}
