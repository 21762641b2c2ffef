import type { CallContext, RequestMemory } from "../domain/call-context.js";
import { imageOperationsOf } from "../domain/image-profile.js";
import { countedAs, type Model, namesOf } from "../domain/model.js";
import { errorOf, GatewayError } from "../errors.js";
import { mayCall, mayCallAny } from "../keys/may-call.js";
import type { ModelOperation } from "../operations.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Catalog } from "./catalog.js";
import { lowerPriority, priorityHeader } from "./lower-priority.js";
import { modelMissing, modelNotFound } from "./model-errors.js";
import { pinToUpstream, targetHeader } from "./pin-target.js";
import type { RequestContext } from "./request/request-context.js";

export type ModelOfType<T extends Model["type"]> = Extract<Model, { type: T }>;

/** A permitted call: its model, its usage meter, its memory and its caller. */
export interface AuthorizedCall<T extends Model["type"]> {
  /** The id that the caller asked for, which may be an alias, or that of the default model. */
  readonly modelId: string;
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
  readonly header: (name: string) => string | undefined;
}

/**
 * Finds a model that the caller may use for the operation, and notes it for the log and the ledger.
 *
 * @param asked Undefined or null where the request names no model.
 */
export function authorizeModel<T extends Model["type"]>(
  asked: string | null | undefined,
  { type, operation, catalog, context, header }: AuthorizeOptions<T>,
): AuthorizedCall<T> {
  const modelId = asked ?? catalog.defaultFor(operation);
  if (modelId === undefined) throw modelMissing(operation, catalog, context.key);
  const model = catalog.find(modelId);
  checkAllowed(modelId, model, context);
  const { meter, memory, caller, signal, trace, summary } = context;
  if (meter === undefined) throw new Error("A request without a key reached a model.");
  if (model === undefined) throw modelNotFound({ id: modelId, catalog, key: context.key });
  summary.model = countedAs(model);
  if (!isOfType(model, type) || !hasOperation(model, operation)) {
    const { operations } = catalog.describe(model);
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' does not support ${operation}; it supports: ${operations.join(", ")}.`,
      { param: "model" },
    );
  }
  // The upstream that must serve the request. Undefined where any target may.
  const upstream = header(targetHeader);
  const served = upstream === undefined ? model : pinToUpstream(model, upstream, context);
  const bulk = lowerPriority(context, header(priorityHeader));
  return { modelId, model: served, meter, memory, context: { caller, signal, trace, bulk } };
}

/** A key learns nothing of a model that it may not call, not even whether it exists. */
export function checkAllowed(
  modelId: string,
  model: Model | undefined,
  { key }: Pick<RequestContext, "key">,
): void {
  if (key === undefined || mayCall(key, modelId)) return;
  if (model !== undefined && mayCallAny(key, namesOf(model))) return;
  throw errorOf("model_not_allowed", { model: modelId }, { param: "model" });
}

function isOfType<T extends Model["type"]>(model: Model, type: T): model is ModelOfType<T> {
  return model.type === type;
}

/** An embedding model has every operation of its type. */
function hasOperation(model: Model, operation: ModelOperation): boolean {
  return model.type === "embedding" || imageOperationsOf(model.profile).some((one) => one === operation);
}
