import { errorOf } from "@model-gateway/domain/errors";
import type { ImageOperation } from "@model-gateway/domain/operations";
import { viewerOf } from "@model-gateway/domain/record-owner";
import type { EditImages } from "@model-gateway/domain/requests";
import type { HandlerResponse, ValidRequest } from "../execution/handler.js";
import type { ImageJob } from "../images/call-upstream.js";
import type { ImageService } from "../images/create-image.js";
import type { Job } from "../jobs/job.js";
import { type Jobs, retryAfterSeconds } from "../jobs/jobs.js";
import { describeJob } from "./documents/Job.js";
import { ownKeyOf } from "./documents/OwnKey.js";
import { readPreferences } from "./preferences.js";

export interface JobServices {
  readonly images: ImageService;
  readonly jobs: Jobs;
}

/** The headers that matter for the run of a job. */
const keptHeaders = [
  "x-gateway-partial",
  "x-gateway-priority",
  "x-gateway-timeout-ms",
  "traceparent",
  "tracestate",
] as const;

export function prefersJob({ header }: Pick<ValidRequest<ImageOperation>, "header">): boolean {
  return readPreferences(header("prefer")).isAsync;
}

/** Checks a request as if it ran now, and stores it as a job. */
export async function createJob<K extends ImageOperation>(
  job: ImageJob<K> & { readonly modelId: string },
  valid: ValidRequest<ImageOperation>,
  { images, jobs }: JobServices,
): Promise<Job> {
  const { context, header } = valid;
  refuseUnsuitable(job, header);
  // Its run asks for partial images, which may cost more.
  const { fingerprint, envelope } = await images.check({ ...job, onPartialImage: () => undefined });
  const contentType =
    header("content-type") === "multipart/form-data" ? "multipart/form-data" : "application/json";
  const headers = keptHeaders.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { request } = job;
  const created = await jobs.create({
    operation: job.operation,
    ...viewerOf(ownKeyOf(context)),
    model: job.modelId,
    requestId: context.id,
    fingerprint,
    idempotencyKey: job.headers.idempotencyKey,
    body: storableBody(valid),
    contentType,
    bytes: context.requestBytes,
    headers: Object.fromEntries(headers),
    origin: context.origin,
    images: "images" in request ? imagesOf(request) : undefined,
    hasLinks: envelope === "url",
  });
  // The run of the job has the ledger row.
  context.summary.isRecorded = false;
  return created;
}

export function jobAccepted(job: Job): HandlerResponse<ImageOperation> {
  return {
    status: 202,
    headers: {
      location: `/v1/jobs/${job.id}`,
      "retry-after": String(retryAfterSeconds),
      "preference-applied": "respond-async",
    },
    body: describeJob(job),
  };
}

function refuseUnsuitable(
  { request, model }: ImageJob<ImageOperation>,
  header: (name: string) => string | undefined,
): void {
  if (request.stream === true)
    throw errorOf("invalid_value", { param: "stream", reason: "the response of a job cannot be streamed" });
  if (model.pinnedTo !== undefined && header("x-gateway-target") !== undefined)
    throw errorOf("invalid_value", {
      param: "x-gateway-target",
      reason: "a request for one target cannot become a job",
    });
}

/** The whole body. Images that it has as data are stored apart, and only their place is kept. */
function storableBody({ body, extras }: ValidRequest<ImageOperation>): object {
  const whole = { ...body, ...extras?.values };
  if (!("images" in whole)) return whole;
  const overlays = (["mask", "markup"] as const).flatMap((name) => {
    const image = whole[name];
    return typeof image === "object" && image !== null && "image_url" in image
      ? [[name, placeOf(image)]]
      : [];
  });
  return { ...whole, images: whole.images.map(placeOf), ...Object.fromEntries(overlays) };
}

const placeholder = "data:image/png;base64,";

function placeOf<T extends { readonly image_url: string }>(image: T): T {
  return image.image_url.startsWith("data:") ? { ...image, image_url: placeholder } : image;
}

function imagesOf({ images, mask, markup }: EditImages): EditImages {
  return { images, ...(mask && { mask }), ...(markup && { markup }) };
}
