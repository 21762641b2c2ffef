import type { Errand } from "../../relay.js";
import type { RequestContext } from "../request-context.js";

/** What the relay needs to know of a request; it tells the log which model and upstream served. */
export function errand(modelId: string, context: RequestContext): Errand {
  return {
    modelId,
    caller: context.caller ?? "",
    signal: context.signal,
    onModel: (id) => {
      context.model = id;
    },
    onUpstream: (name, attempts) => {
      context.upstream = name;
      context.attempts = attempts;
    },
  };
}
