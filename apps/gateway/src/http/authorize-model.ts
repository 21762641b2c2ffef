import type { CallContext, RequestMemory } from "../domain/call-context.js";
import type { Model } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import { mayCall } from "../keys/may-call.js";
import type { ModelOperation } from "../operations.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import { type Catalog, modelNotFound } from "./catalog.js";
import type { RequestContext } from "./request/request-context.js";

export type ModelOfType<T extends Model["type"]> = Extract<Model, { type: T }>;

/** A permitted call: its model, its usage meter, its memory and its caller. */
export interface AuthorizedCall<T extends Model["type"]> {
  readonly model: ModelOfType<T>;
  readonly meter: UsageMeter;
  readonly memory: Pick<RequestMemory, "forReplies">;
  readonly context: CallContext;
}

export interface AuthorizeOptions<T extends Model["type"]> {
  readonly type: T;
  readonly operation: ModelOperation;
  readonly catalog: Catalog;
  readonly context: RequestContext;
}

/** Finds a model that the caller may use for the operation, and notes it for the log and the ledger. */
export function authorizeModel<T extends Model["type"]>(
  modelId: string,
  { type, operation, catalog, context }: AuthorizeOptions<T>,
): AuthorizedCall<T> {
  checkAllowed(modelId, context);
  const { meter, memory, caller = "", signal, trace } = context;
  if (meter === undefined) throw new Error("A request without a key reached a model.");
  const model = catalog.find(modelId);
  if (model === undefined) throw modelNotFound(modelId);
  context.model = model.id;
  if (!isOfType(model, type) || (operation === "createImageEdit" && !canEdit(model))) {
    const { operations } = catalog.describe(model);
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' does not support ${operation}; it supports: ${operations.join(", ")}.`,
      { param: "model" },
    );
  }
  return { model, meter, memory, context: { caller, signal, trace } };
}

/** A key learns nothing of a model that it may not call, not even whether it exists. */
export function checkAllowed(modelId: string, { key }: RequestContext): void {
  if (key === undefined || mayCall(key, modelId)) return;
  throw new GatewayError("model_not_allowed", `This key may not call the model \`${modelId}\`.`, {
    param: "model",
  });
}

function isOfType<T extends Model["type"]>(model: Model, type: T): model is ModelOfType<T> {
  return model.type === type;
}

function canEdit(model: Model): boolean {
  return model.type === "image" && model.profile.edits;
}
