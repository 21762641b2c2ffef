import type { Drawn } from "../../images/draw.js";
import type { ImageWishes } from "../../relay.js";
import type { HandlerAnswer, ValidRequest } from "./handler.js";

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
