import type { Price } from "../domain/model.js";
import type { ImageEvent, ImageReply, ImageRequest } from "../domain/requests.js";
import { errorTable, GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import { anySignal } from "../runtime/abort.js";
import type { ImageWork } from "../usage/cost.js";
import {
  contentOf,
  type DeliveryTools,
  type FinishedImage,
  finishImage,
  wrapImage,
} from "./delivery/deliver.js";
import type { Delivery, ImagePlan } from "./options/plan.js";

/** What one upstream call has made. */
export interface CallImages {
  readonly images: readonly {
    readonly finished: FinishedImage;
    readonly revisedPrompt: string | undefined;
  }[];
  readonly created: number;
  readonly quality: string | undefined;
  readonly usage: Schemas["ImageUsage"] | undefined;
}

/** What a call has made, as it is paid for. */
export function workOf({ images, quality, usage }: CallImages, price: Price | undefined): ImageWork {
  return {
    price,
    images: images.map(({ finished: { size } }) => ({ size, ...(quality && { quality }) })),
    ...(usage && { usage }),
  };
}

/** Carries out one call of a plan; an answer that is not good is the failure of the target that gave it. */
export type CallForImages<R> = (request: R, delivery: Delivery, signal: AbortSignal) => Promise<CallImages>;

export interface CollectedImages {
  readonly images: Schemas["ImagesResponse"];
  /** How many images could not be made; only where the caller accepts fewer. */
  readonly failedCount: number;
}

/** How many calls of one request are under way at once. */
export const parallelCallsMax = 4;

/**
 * Makes all images of a plan, a few calls at a time. Fewer than were asked for are a failure of the whole, unless the
 * caller accepts them; what has been made by then is lost, so the calls still under way are given up.
 */
export async function collectImages<R extends ImageRequest>(
  plan: ImagePlan<R>,
  make: CallForImages<R>,
  options: { readonly tools: DeliveryTools; readonly allowPartial: boolean; readonly signal: AbortSignal },
): Promise<CollectedImages> {
  const made = await runCalls(plan, make, options);
  const images = made.flatMap((call) => call.images);
  const [first] = images;
  const data = await Promise.all(
    images.map(({ finished, revisedPrompt }) =>
      wrapImage(finished, { envelope: plan.delivery.envelope, revisedPrompt }, options.tools),
    ),
  );
  const usage = sumUsage(made.map((call) => call.usage));
  const quality = made[0]?.quality;
  return {
    failedCount: plan.calls.reduce((sum, { n = 1 }) => sum + n, 0) - images.length,
    images: {
      created: made[0]?.created ?? 0,
      ...(first && { background: first.finished.background }),
      data,
      ...(first && { output_format: first.finished.format, size: first.finished.size }),
      ...(quality === undefined ? {} : { quality }),
      ...(usage === undefined ? {} : { usage }),
    },
  };
}

/** Tells finished images as the last events of a stream, for an upstream that cannot stream. */
export function completedEvents(
  type: Extract<ImageEvent, { type: `${string}.completed` }>["type"],
  { created, quality, usage, images }: CallImages,
): ImageEvent[] {
  return images.map(({ finished }, index) => ({
    type,
    b64_json: finished.content.toString("base64"),
    created_at: created,
    size: finished.size,
    quality: quality ?? "auto",
    background: finished.background,
    output_format: finished.format,
    // What a call has used is told once, with the last of its images.
    ...(usage === undefined || index < images.length - 1 ? {} : { usage }),
  }));
}

async function runCalls<R extends ImageRequest>(
  { calls, delivery }: ImagePlan<R>,
  make: CallForImages<R>,
  { allowPartial, signal }: { allowPartial: boolean; signal: AbortSignal },
): Promise<CallImages[]> {
  const giveUp = new AbortController();
  const combined = anySignal([signal, giveUp.signal]);
  const waiting = [...calls.entries()];
  const made: (CallImages | undefined)[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, call] = next;
      try {
        made[index] = await make(call, delivery, combined);
      } catch (failure) {
        failures.push(failure);
        if (allowPartial) continue;
        waiting.length = 0;
        giveUp.abort(new GatewayError("upstream_error", "Another image of the request could not be made."));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelCallsMax, calls.length) }, work));
  const good = made.filter((call) => call !== undefined);
  if (failures.length > 0 && (!allowPartial || good.length === 0))
    throw combinedFailure(failures, calls.length);
  return good;
}

/** That one call made nothing says nothing of the others: only when all say so may the whole be asked for again. */
function combinedFailure(failures: readonly unknown[], callCount: number): unknown {
  const [first] = failures;
  const isCertain =
    failures.length === callCount && failures.every((one) => one instanceof GatewayError && one.nothingMade);
  if (
    callCount === 1 ||
    isCertain ||
    !(first instanceof GatewayError) ||
    errorTable[first.code].retry === "never"
  )
    return first;
  const { code, message, cause, upstream, attempts } = first;
  const error = new GatewayError(code, `${message} Other images of the request may have been made.`, {
    cause,
    headers: { "x-should-retry": "false" },
  });
  return Object.assign(error, { upstream, attempts });
}

/**
 * Looks at every image of an upstream's answer. One that is none is its failure, and so are fewer than were asked for,
 * unless the caller accepts them.
 */
export async function verifyReply(
  answer: Extract<ImageReply, { images: unknown }>,
  { count, allowPartial, delivery }: { count: number; allowPartial: boolean; delivery: Delivery },
  { tools, signal }: { tools: DeliveryTools; signal: AbortSignal },
): Promise<CallImages> {
  const { created, data, quality, usage } = answer.images;
  if (data.length === 0 || data.length > count || (data.length < count && !allowPartial)) {
    throw new GatewayError(
      "upstream_invalid_answer",
      `The upstream's answer is not valid: it has ${data.length} images where ${count} were asked for.`,
    );
  }
  const images = await Promise.all(
    data.map(async (image) => ({
      finished: await finishImage(await contentOf(image, tools, signal), delivery),
      revisedPrompt: image.revised_prompt,
    })),
  );
  return { images, created, quality: quality ?? delivery.quality, usage };
}

type Usage = Schemas["ImageUsage"];
type Details = Schemas["ImageTokensDetails"];

/** What several calls have used together; undefined where one of them did not say. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  return usages.reduce((sum, usage) =>
    sum === undefined || usage === undefined ? undefined : add(sum, usage),
  );
}

function add(left: Usage, right: Usage): Usage {
  const output = addDetails(left.output_tokens_details, right.output_tokens_details);
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    input_tokens_details:
      addDetails(left.input_tokens_details, right.input_tokens_details) ?? left.input_tokens_details,
    output_tokens: left.output_tokens + right.output_tokens,
    ...(output === undefined ? {} : { output_tokens_details: output }),
    total_tokens: left.total_tokens + right.total_tokens,
  };
}

function addDetails(left: Details | undefined, right: Details | undefined): Details | undefined {
  if (left === undefined || right === undefined) return undefined;
  return {
    text_tokens: left.text_tokens + right.text_tokens,
    image_tokens: left.image_tokens + right.image_tokens,
  };
}
