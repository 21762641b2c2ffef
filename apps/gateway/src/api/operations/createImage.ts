import { type ImageModel, namesOf } from "@model-gateway/domain/model";
import type { ImageOperation } from "@model-gateway/domain/operations";
import type { Extras } from "@model-gateway/domain/requests";
import {
  type Handler,
  type HandlerResponse,
  type ValidRequest,
  withoutNulls,
} from "../../execution/handler.js";
import type { RequestContext } from "../../execution/request-context.js";
import { acceptExtras } from "../../execution/validation/extras.js";
import type { ImageJob } from "../../images/call-upstream.js";
import type { CreatedImages } from "../../images/create-image.js";
import { serializeImages } from "../../images/serialize.js";
import { mayCallAny } from "../../keys/may-call.js";
import { createJob, type JobServices, jobAccepted, prefersJob } from "../accept-job.js";
import { authorizeModel } from "../authorize-model.js";
import type { Catalog } from "../catalog.js";

export interface ImageHandlerServices extends JobServices {
  readonly catalog: Catalog;
}

export function createImage(services: ImageHandlerServices): Handler<"createImage"> {
  return async (valid) => {
    const job = imageRequest(valid, services);
    if (prefersJob(valid)) return jobAccepted(await createJob(job, valid, services));
    return imagesResponse(await services.images.create(job));
  };
}

/** A valid request's job, whether it runs now or later. */
export function imageRequest(
  valid: ValidRequest<"createImage">,
  { catalog }: Pick<ImageHandlerServices, "catalog">,
): AuthorizedJob<"createImage"> {
  const { model: modelId, ...request } = withoutNulls(valid.body);
  const job = imageJob("createImage", { modelId, valid, catalog });
  return { ...job, request: { ...request, ...passed(valid, job) } };
}

/** A job with the id under which its model was requested. */
export type AuthorizedJob<K extends ImageOperation> = ImageJob<K> & { readonly modelId: string };

/** The extras of a request, where it has some that its model accepts. */
export function passed(
  { extras }: Pick<ValidRequest<ImageOperation>, "extras">,
  { model }: Pick<ImageJob<ImageOperation>, "model">,
): { readonly extras?: Extras } {
  const accepted = acceptExtras(extras, model);
  return accepted === undefined ? {} : { extras: accepted.values };
}

interface JobParts {
  /** Undefined where the request names no model. */
  readonly modelId: string | undefined;
  readonly valid: Pick<ValidRequest<ImageOperation>, "context" | "header">;
  readonly catalog: Catalog;
}

/** A valid request's job, without its parameters: its model, its headers, and the summary for its upstream. */
export function imageJob<K extends ImageOperation>(
  operation: K,
  { modelId, valid: { context, header }, catalog }: JobParts,
): Omit<AuthorizedJob<K>, "request"> {
  const authorized = authorizeModel<ImageOperation>(modelId, { operation, catalog, context, header });
  return {
    ...authorized,
    requestId: context.id,
    fallback: fallbackOf(authorized.model, catalog, context),
    record: context.summary,
    operation,
    headers: {
      idempotencyKey: header("idempotency-key"),
      allowPartial: header("x-gateway-partial") === "allow",
    },
    origin: context.origin,
    onAttempt: context.noteAttempt,
    onPartialImage: context.onPartialImage,
    onBackgroundWork: (work) => context.lifetime.addBackgroundWork(work),
  };
}

/** A key that may not call the fallback gets no fallback. */
function fallbackOf(
  { fallback }: ImageModel,
  catalog: Catalog,
  { key }: Pick<RequestContext, "key">,
): ImageModel | undefined {
  const model = fallback === undefined ? undefined : catalog.find(fallback);
  if (model?.type !== "image") return undefined;
  return key === undefined || mayCallAny(key, namesOf(model)) ? model : undefined;
}

export function imagesResponse(created: CreatedImages): HandlerResponse<ImageOperation> {
  const { replayed, servedBy } = created;
  const headers = {
    ...(replayed && { "idempotent-replayed": "true" }),
    ...(servedBy !== undefined && { "x-gateway-model": encodeURIComponent(servedBy) }),
  };
  if ("events" in created) return { events: created.events, headers };
  const { images, failedCount, credentials } = created;
  return {
    ...serializeImages(images),
    onSent: () => {
      for (const { b64_json } of images.data) b64_json?.release();
    },
    headers: {
      ...headers,
      "x-gateway-content-credentials": credentials,
      ...(failedCount > 0 && { "x-gateway-failed-images": String(failedCount) }),
    },
  };
}
