import type { Drawn } from "../../images/create-image.js";
import type { ImageWishes, Relay } from "../../relay.js";
import { errand } from "../authorize-model.js";
import { type Handler, type HandlerAnswer, type ValidRequest, withoutNulls } from "../handler.js";

export function createImage(relay: Relay): Handler<"createImage"> {
  return async (request) => {
    const { model, ...options } = withoutNulls(request.body);
    return answerDrawn(
      await relay.createImage(options, { ...errand(model, request.context), ...imageWishes(request) }),
    );
  };
}

type DrawOperation = "createImage" | "createImageEdit";

/** What the headers of a paid request say. */
export function imageWishes({
  context,
  header,
}: Pick<ValidRequest<DrawOperation>, "context" | "header">): ImageWishes {
  return {
    caller: context.caller ?? "",
    origin: context.origin,
    onWork: (work) => context.works.push(work),
    idempotencyKey: header("idempotency-key"),
    allowPartial: header("x-gateway-partial") === "allow",
  };
}

export function answerDrawn(drawn: Drawn): HandlerAnswer<DrawOperation> {
  const headers = drawn.replayed ? { "idempotent-replayed": "true" } : {};
  if ("events" in drawn) return { events: drawn.events, headers };
  const { images, failedCount } = drawn;
  return {
    body: images,
    headers: { ...headers, ...(failedCount > 0 && { "x-gateway-failed-images": String(failedCount) }) },
  };
}
