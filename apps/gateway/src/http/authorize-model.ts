import { GatewayError } from "../errors.js";
import { mayCall } from "../keys/may-call.js";
import type { Errand } from "../relay.js";
import type { RequestContext } from "./request/request-context.js";

/** What the relay needs to know of a request; it tells the log which model and upstream served. */
export function authorizeModel(modelId: string, context: RequestContext): Errand {
  checkAllowed(modelId, context);
  const { meter } = context;
  if (meter === undefined) throw new Error("A request without a key has reached a model.");
  return {
    modelId,
    caller: context.caller ?? "",
    tab: meter,
    trace: context.trace,
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

/** A key hears nothing of a model that it may not call, not even whether there is one. */
export function checkAllowed(modelId: string, { key }: RequestContext): void {
  if (key === undefined || mayCall(key, modelId)) return;
  throw new GatewayError("model_not_allowed", `This key may not call the model \`${modelId}\`.`, {
    param: "model",
  });
}
