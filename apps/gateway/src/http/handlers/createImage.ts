import type { Relay } from "../../relay.js";
import { answerDrawn, imageWishes } from "./answer-drawn.js";
import { errand } from "./errand.js";
import type { Handler } from "./handler.js";
import { withoutNulls } from "./without-nulls.js";

export function createImage(relay: Relay): Handler<"createImage"> {
  return async (request) => {
    const { model, ...options } = withoutNulls(request.body);
    return answerDrawn(
      await relay.createImage(options, { ...errand(model, request.context), ...imageWishes(request) }),
    );
  };
}
