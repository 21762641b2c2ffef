import type { Relay } from "../../relay.js";
import { errand } from "./errand.js";
import type { Handler } from "./handler.js";
import { withoutNulls } from "./without-nulls.js";

export function createImage(relay: Relay): Handler<"createImage"> {
  return async ({ body, context }) => {
    const { model, ...request } = withoutNulls(body);
    const answer = await relay.createImage(request, errand(model, context));
    return "events" in answer ? answer : { body: answer.images };
  };
}
