import { type ContentCredentials, combineCredentials } from "@model-gateway/domain/content-credentials";
import { errorTable, GatewayError } from "@model-gateway/domain/errors";
import { type ImageInput, readImageHeader } from "@model-gateway/domain/image-input";
import type { Target } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Price } from "@model-gateway/domain/price";
import type {
  ImageEditRequest,
  ImageEvent,
  ImageReply,
  ImageRequest,
  ImagesDocument,
} from "@model-gateway/domain/requests";
import { anySignal } from "@model-gateway/runtime/abort";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { ImageWork } from "./cost.js";
import type { FinishedImage, ImageDelivery, ImageSource } from "./delivery/deliver.js";
import type { DeliveryForm, ImagePlan } from "./options/plan.js";
import { megapixelsOf } from "./price-table.js";
import { createdQuality, streamedProperties, sumUsage, uncountedUsage } from "./response-fields.js";

/** The images of one upstream call. */
export interface ImageCallResult {
  readonly images: readonly {
    readonly finished: FinishedImage;
    readonly revisedPrompt: string | undefined;
  }[];
  readonly created: number;
  readonly quality: string | undefined;
  readonly usage: Schemas["ImageUsage"] | undefined;
  /** The cost that the upstream reported, in US dollars. */
  readonly reportedUsd: number | undefined;
  /** The seconds of its hardware that the upstream reported. */
  readonly computeSeconds: number | undefined;
  readonly svgUsage: Schemas["ImageSvgUsage"] | undefined;
  /** Undefined if the upstream did not report it. */
  readonly safetyIdentifier: string | null | undefined;
}

/** The work of a call at a target, as it is billed. */
export async function billedWork(
  { images, quality, usage, reportedUsd, computeSeconds }: ImageCallResult,
  { price, isListPrice }: Target,
  request: ImageRequest | ImageEditRequest,
): Promise<ImageWork> {
  const inputMegapixels =
    "images" in request && billsInput(price) ? await countMegapixels(request.images) : undefined;
  return {
    price,
    images: images.map(({ finished: { size } }) => ({ ...(size && { size }), ...(quality && { quality }) })),
    ...withoutUndefined({ isListPrice, usage, reportedUsd, computeSeconds, inputMegapixels }),
  };
}

/** The content credentials of a call's images. */
export function credentialsOf({ images }: Pick<ImageCallResult, "images">): ContentCredentials {
  return combineCredentials(images.map(({ finished }) => finished.credentials)) ?? "none";
}

function billsInput(price: Price | undefined): boolean {
  return (
    price !== undefined &&
    "perMegapixel" in price &&
    typeof price.perMegapixel === "object" &&
    price.perMegapixel.input !== undefined
  );
}

async function countMegapixels(images: readonly ImageInput[]): Promise<number> {
  const headers = await Promise.all(images.map(readImageHeader));
  return headers.reduce((sum, header) => {
    const megapixels = header && megapixelsOf({ size: `${header.width}x${header.height}` });
    return sum + (megapixels ?? 1);
  }, 0);
}

/** Carries out one call of a plan. A reply that fails verification is a failure of the target that sent it. */
export type RunImageCall<R> = (
  request: R,
  delivery: DeliveryForm,
  signal: AbortSignal,
) => Promise<ImageCallResult>;

export interface CollectedImages {
  readonly images: ImagesDocument;
  /** Number of images that could not be created. It is only above 0 if the caller accepts fewer. */
  readonly failedCount: number;
  readonly credentials: ContentCredentials;
}

interface CollectOptions {
  readonly delivery: ImageDelivery;
  /** The key that the images are stored for. */
  readonly caller: string;
  /** Prefix of links. */
  readonly origin: string;
  readonly allowPartial: boolean;
  readonly signal: AbortSignal;
}

/** Number of calls of one request in flight at once. */
export const parallelCallsMax = 4;

/**
 * Creates all images of a plan, a few calls at a time. If a call fails, the request fails and the calls in flight are
 * cancelled, unless the caller accepts fewer images.
 */
export async function collectImages<R extends ImageRequest>(
  plan: ImagePlan<R>,
  callForImages: RunImageCall<R>,
  options: CollectOptions,
): Promise<CollectedImages> {
  const results = await runCalls(plan, callForImages, options);
  const images = results.flatMap((call) => call.images);
  const { envelope } = plan.delivery;
  const { caller, origin } = options;
  const data = await Promise.all(
    images.map(({ finished, revisedPrompt }) =>
      options.delivery.wrap(finished, { caller, envelope, revisedPrompt, origin }),
    ),
  );
  return {
    failedCount: plan.calls.reduce((sum, { n = 1 }) => sum + n, 0) - images.length,
    images: describeImages(results, data),
    credentials: credentialsOf({ images }),
  };
}

/** The images with the first one's properties. Unknown ones are left out. */
function describeImages(results: readonly ImageCallResult[], data: ImagesDocument["data"]): ImagesDocument {
  const [first] = results;
  const { format, size, background } = first?.images[0]?.finished ?? {};
  const described = {
    output_format: format,
    quality: createdQuality(first?.quality),
    safety_identifier: first?.safetyIdentifier,
    size,
    // An svg is created alone, so there is one call.
    svg_usage: first?.svgUsage,
    usage: sumUsage(results.map((call) => call.usage)),
  };
  return {
    created: first?.created ?? 0,
    ...(background && { background }),
    data,
    ...withoutUndefined(described),
  };
}

/** The completed events of a call to an upstream that does not stream. */
export function completedEvents(
  type: Extract<ImageEvent, { type: `${string}.completed` }>["type"],
  { created, quality, usage, safetyIdentifier, images }: ImageCallResult,
): ImageEvent[] {
  return images.map(({ finished }, index) => ({
    type,
    b64_json: finished.content,
    created_at: created,
    ...streamedProperties(finished, quality),
    // The usage covers the whole call, so only the last event carries it.
    usage: usage === undefined || index < images.length - 1 ? uncountedUsage : usage,
    ...(safetyIdentifier !== undefined && { safety_identifier: safetyIdentifier }),
  }));
}

async function runCalls<R extends ImageRequest>(
  { calls, delivery }: ImagePlan<R>,
  callForImages: RunImageCall<R>,
  { allowPartial, signal }: { allowPartial: boolean; signal: AbortSignal },
): Promise<ImageCallResult[]> {
  const cancellation = new AbortController();
  const combined = anySignal([signal, cancellation.signal]);
  const pending = [...calls.entries()];
  const results: (ImageCallResult | undefined)[] = [];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const [index, call] = next;
      try {
        results[index] = await callForImages(call, delivery, combined);
      } catch (failure) {
        failures.push(failure);
        if (allowPartial) continue;
        pending.length = 0;
        cancellation.abort(
          new GatewayError("upstream_error", "Another image of the request could not be created."),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelCallsMax, calls.length) }, worker));
  const succeeded = results.filter((call) => call !== undefined);
  if (failures.length > 0 && (!allowPartial || succeeded.length === 0))
    throw combinedFailure(failures, calls.length);
  return succeeded;
}

/** A client may only retry the request if every call is certain to have created nothing. */
function combinedFailure(failures: readonly unknown[], callCount: number): unknown {
  const [first] = failures;
  const isCertain =
    failures.length === callCount &&
    failures.every((one) => one instanceof GatewayError && one.nothingBilled);
  if (
    callCount === 1 ||
    isCertain ||
    !(first instanceof GatewayError) ||
    errorTable[first.code].retry === "never"
  )
    return first;
  return first.followedBy("Other images of the request may have been created.");
}

/** The target that replied, and the means to take its images. */
interface ReplySource extends Pick<ImageSource, "caller" | "target"> {
  readonly delivery: ImageDelivery;
  readonly signal: AbortSignal;
}

/**
 * Checks every image of an upstream's reply. Data that is not an image is a failure of the upstream. So are fewer images
 * than requested, unless the caller accepts them.
 */
export async function verifyReply(
  reply: Extract<ImageReply, { images: unknown }>,
  { count, allowPartial, delivery }: { count: number; allowPartial: boolean; delivery: DeliveryForm },
  { delivery: images, caller, target, signal }: ReplySource,
): Promise<ImageCallResult> {
  const { created, data, background, quality, usage, svg_usage, safety_identifier } = reply.images;
  if (data.length === 0 || data.length > count || (data.length < count && !allowPartial)) {
    throw new GatewayError(
      "upstream_invalid_reply",
      `The upstream returned ${data.length} images where ${count} were requested.`,
    );
  }
  const finished = await Promise.all(
    data.map(async (image) => {
      const content = await images.contentOf(image, { upstream: target.upstream, signal });
      const source = { caller, target, reported: background };
      return {
        finished: await images.finish(content, delivery, source),
        revisedPrompt: image.revised_prompt,
      };
    }),
  );
  return {
    images: finished,
    created,
    quality: quality ?? delivery.quality,
    usage,
    reportedUsd: reply.images.reportedUsd,
    computeSeconds: reply.images.computeSeconds,
    svgUsage: svg_usage,
    safetyIdentifier: safety_identifier,
  };
}
