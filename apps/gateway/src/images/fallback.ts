import { errorTable, GatewayError } from "@model-gateway/domain/errors";
import { imageOperationsOf } from "@model-gateway/domain/image-profile";
import { countedAs, type ImageModel } from "@model-gateway/domain/model";
import type { ImageOperation } from "@model-gateway/domain/operations";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import { estimateTokens, type MeteredRequest } from "../usage/usage-meter.js";
import { type ImageJob, noteRecovered, type RequestOf } from "./call-upstream.js";
import { checkInputImages } from "./check-input-images.js";
import { estimateImageCost } from "./estimate-cost.js";
import { equalQuality } from "./options/equal-quality.js";
import { type ImagePlan, planImages } from "./options/plan.js";

/** A job, and the calls that it takes with its model. */
export interface PlannedJob<K extends ImageOperation> {
  readonly job: ImageJob<K>;
  readonly plan: ImagePlan<RequestOf<K>>;
}

/** Runs a job, and once more with the fallback of its model where that is possible. */
export async function withFallback<K extends ImageOperation, R>(
  planned: PlannedJob<K>,
  run: (planned: PlannedJob<K>) => Promise<R>,
  mayFallBack: () => boolean = always,
): Promise<{ readonly result: R; readonly servedBy?: string }> {
  try {
    return { result: await run(planned) };
  } catch (failure) {
    const next = mayFallBack() ? await fallBack(planned, failure) : undefined;
    if (next === undefined) throw failure;
    try {
      const result = await run(next);
      noteRecovered(planned.job.record, attemptsOf(failure));
      return { result, servedBy: next.job.model.id };
    } catch (later) {
      throw withEarlierAttempts(later, failure);
    }
  }
}

/** The failure of a fallback, with the attempts at the model itself. */
function withEarlierAttempts(failure: unknown, earlier: unknown): unknown {
  if (!(failure instanceof GatewayError && earlier instanceof GatewayError)) return failure;
  return failure.with({ failedAttempts: [...attemptsOf(earlier), ...attemptsOf(failure)] });
}

function attemptsOf(failure: unknown): readonly FailedAttempt[] {
  return failure instanceof GatewayError ? (failure.failedAttempts ?? []) : [];
}

function always(): boolean {
  return true;
}

/**
 * The same request for the fallback of its model. Undefined where it must not or cannot be used: something may have been
 * created, the request itself was refused, or it does not fit the other model.
 */
async function fallBack<K extends ImageOperation>(
  { job, plan }: PlannedJob<K>,
  failure: unknown,
): Promise<PlannedJob<K> | undefined> {
  const { fallback: model, request, context } = job;
  if (model === undefined || !isUnserved(failure) || context.signal.aborted) return undefined;
  // The default form of a response belongs to the requested model.
  const sameForm = plan.stream ? request : { ...request, response_format: plan.delivery.envelope };
  const next = { ...job, model, request: sameForm, fallback: undefined };
  try {
    const planned = { job: next, plan: await planFor(next) };
    await job.meter.changeModel(meteredRequest(next));
    job.record.model = countedAs(model);
    return planned;
  } catch (refusal) {
    // It does not fit, or the limits of the other model or the budget do not allow it.
    if (refusal instanceof GatewayError) return undefined;
    throw refusal;
  }
}

/** The estimated usage of a request. */
export function meteredRequest<K extends ImageOperation>({
  model,
  request,
  onPartialImage,
}: ImageJob<K>): MeteredRequest {
  const { prompt, n: count = 1, size, stream, partial_images: partialImages = 0 } = request;
  const quality = equalQuality(request.quality, model.profile);
  const tokens = estimateTokens(prompt);
  const variant = { ...(size && { size }), ...(quality && { quality }) };
  const costNanos = estimateImageCost({
    targets: model.targets,
    tokens,
    count,
    ...variant,
    ...((stream === true || onPartialImage !== undefined) && { partialImages }),
  });
  return { model, tokens, images: count, costNanos };
}

async function planFor<K extends ImageOperation>(job: ImageJob<K>): Promise<ImagePlan<RequestOf<K>>> {
  const { operation, request, model } = job;
  if (!imageOperationsOf(model.profile).includes(operation) || !passesAll(request, model))
    throw new GatewayError("unsupported_operation", "The fallback does not support the request.");
  if ("images" in request) await checkInputImages(request, model.profile);
  return planImages(request, model.profile, { showsProgress: job.onPartialImage !== undefined });
}

function passesAll({ extras = {} }: RequestOf<ImageOperation>, { passThrough = [] }: ImageModel): boolean {
  return Object.keys(extras).every((name) => passThrough.includes(name));
}

/** No target could serve the request, and it is certain that nothing was created. */
function isUnserved(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && failure.nothingBilled && errorTable[failure.code].retry !== "never"
  );
}
