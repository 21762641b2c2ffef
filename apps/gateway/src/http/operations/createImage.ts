import type { ImageJob, ImageOperation, RequestOf } from "../../images/call-upstream.js";
import type { CreatedImages, ImageService } from "../../images/create-image.js";
import { authorizeModel } from "../authorize-model.js";
import type { Catalog } from "../catalog.js";
import { type Handler, type HandlerResponse, type ValidRequest, withoutNulls } from "../handler.js";

export interface ImageHandlerServices {
  readonly catalog: Catalog;
  readonly images: ImageService;
}

export function createImage({ catalog, images }: ImageHandlerServices): Handler<"createImage"> {
  return async (valid) => {
    const { model, ...request } = withoutNulls(valid.body);
    const job = imageJob("createImage", { modelId: model, request, valid, catalog });
    return imagesResponse(await images.create(job));
  };
}

interface JobParts<K extends ImageOperation> {
  readonly modelId: string;
  readonly request: RequestOf<K>;
  readonly valid: Pick<ValidRequest<ImageOperation>, "context" | "header">;
  readonly catalog: Catalog;
}

/** The job of a valid request: its model, its headers, and where to note the upstream that serves it. */
export function imageJob<K extends ImageOperation>(
  operation: K,
  { modelId, request, valid: { context, header }, catalog }: JobParts<K>,
): ImageJob<K> {
  const authorized = authorizeModel(modelId, { type: "image", operation, catalog, context });
  return {
    ...authorized,
    operation,
    request,
    headers: {
      idempotencyKey: header("idempotency-key"),
      allowPartial: header("x-gateway-partial") === "allow",
    },
    origin: context.origin,
    onUpstream: (name, attempts) => {
      context.upstream = name;
      context.attempts = attempts;
    },
    onBackgroundWork: (work) => context.backgroundWork.push(work),
  };
}

export function imagesResponse(created: CreatedImages): HandlerResponse<ImageOperation> {
  const headers = created.replayed ? { "idempotent-replayed": "true" } : {};
  if ("events" in created) return { events: created.events, headers };
  const { images, failedCount } = created;
  return {
    body: images,
    headers: { ...headers, ...(failedCount > 0 && { "x-gateway-failed-images": String(failedCount) }) },
  };
}
