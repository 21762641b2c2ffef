import { anySignal } from "../domain/abort.js";
import { Gate } from "../domain/gate.js";
import type { Price } from "../domain/price.js";
import type { ImageAnswer, ImageEvent } from "../domain/requests.js";
import type { Schemas } from "../operations.js";
import type { PictureKind } from "../usage/prices/picture-price.js";
import { acceptAnswer } from "./accept-answer.js";
import {
  type CallNeeds,
  type DrawJob,
  type DrawOperation,
  drawCall,
  type Maker,
  type RequestOf,
} from "./draw-call.js";
import { finishEvents } from "./finish-events.js";
import { completedEvents, parallelCallsMax, workOf } from "./make-images.js";
import type { ImagePlan } from "./plan-images.js";
import { sumUsage } from "./sum-usage.js";
import { withOutcome } from "./unknown-outcome.js";

/** Asks the upstream, by a stream of its own where it has one, and tells its pictures as events. */
export async function drawEvents<K extends DrawOperation>(
  job: DrawJob<K>,
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
    const accept = async (answer: ImageAnswer, { tools, price }: Maker) => {
      if ("events" in answer)
        return counted(finishEvents(answer.events, { ...wanted, operation }), price, job);
      const made = await acceptAnswer(answer, wanted, { tools, signal });
      job.onMade(workOf(made, price));
      return completedEvents(type, made);
    };
    return drawCall(job, { call, accept, signal }, needs);
  };
  // An upstream that streams is asked for one after the other; one that does not, for several at once.
  const gate = new Gate(model.profile.streaming ? 1 : parallelCallsMax);
  const begun = plan.calls.map(async (call) => {
    await gate.enter();
    return begin(call).finally(() => gate.leave());
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
      throw withOutcome(failure, job.signal);
    } finally {
      giveUp.abort();
    }
  })();
}

/** Passes events on, and tells what they have cost when the stream is over, however it ends. */
async function* counted(
  events: AsyncIterable<ImageEvent>,
  price: Price | undefined,
  { onMade, onLost }: Pick<DrawJob<DrawOperation>, "onMade" | "onLost">,
): AsyncGenerator<ImageEvent> {
  let isWhole = false;
  const pictures: PictureKind[] = [];
  const usages: Schemas["ImageUsage"][] = [];
  try {
    for await (const event of events) {
      if (event.type.endsWith(".completed")) {
        pictures.push({ size: event.size, quality: event.quality });
        if ("usage" in event && event.usage) usages.push(event.usage);
      }
      yield event;
    }
    isWhole = true;
  } finally {
    if (!isWhole) onLost();
    const [first, ...others] = usages;
    const usage = first && sumUsage([first, ...others]);
    onMade({ price, pictures, ...(usage && { usage }) });
  }
}

/** The finished pictures of a stream that nobody watches. */
export async function completedOf(events: AsyncIterable<ImageEvent>): Promise<ImageEvent[]> {
  const completed: ImageEvent[] = [];
  for await (const event of events) if (event.type.endsWith(".completed")) completed.push(event);
  return completed;
}
