import type { CreatedImages } from "../../images/create-image.js";
import type { ImageRequestHeaders, Relay } from "../../relay.js";
import { authorizeModel } from "../authorize-model.js";
import { type Handler, type HandlerResponse, type ValidRequest, withoutNulls } from "../handler.js";

export function createImage(relay: Relay): Handler<"createImage"> {
  return async (request) => {
    const { model, ...options } = withoutNulls(request.body);
    return imagesResponse(
      await relay.createImage(options, {
        ...authorizeModel(model, request.context),
        ...readImageRequestHeaders(request),
      }),
    );
  };
}

type DrawOperation = "createImage" | "createImageEdit";

/** What the headers of a paid request say. */
export function readImageRequestHeaders({
  context,
  header,
}: Pick<ValidRequest<DrawOperation>, "context" | "header">): ImageRequestHeaders {
  return {
    caller: context.caller ?? "",
    origin: context.origin,
    onBackgroundWork: (work) => context.backgroundWork.push(work),
    idempotencyKey: header("idempotency-key"),
    allowPartial: header("x-gateway-partial") === "allow",
  };
}

export function imagesResponse(drawn: CreatedImages): HandlerResponse<DrawOperation> {
  const headers = drawn.replayed ? { "idempotent-replayed": "true" } : {};
  if ("events" in drawn) return { events: drawn.events, headers };
  const { images, failedCount } = drawn;
  return {
    body: images,
    headers: { ...headers, ...(failedCount > 0 && { "x-gateway-failed-images": String(failedCount) }) },
  };
}
