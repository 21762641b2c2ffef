import { kindOf } from "@model-gateway/config/kinds/kinds";
import type { BulkCall, CallContext, RequestMemory } from "@model-gateway/domain/call-context";
import { errorOf } from "@model-gateway/domain/errors";
import { countedAs, type Model, type ModelFor, namesOf } from "@model-gateway/domain/model";
import type { ModelOperation } from "@model-gateway/domain/operations";
import type { RequestContext } from "../execution/request-context.js";
import { mayCall, mayCallAny } from "../keys/may-call.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Catalog } from "./catalog.js";
import { modelMissing, modelNotFound, operationUnsupported } from "./model-errors.js";
import { pinToTarget } from "./pin-target.js";

/** A permitted call: its model, its usage meter, its memory and its caller. */
interface AuthorizedCall<K extends ModelOperation> {
  /** The requested id, which may be an alias, or the default model's id. */
  readonly modelId: string;
  readonly model: ModelFor<K>;
  readonly meter: UsageMeter;
  readonly memory: Pick<RequestMemory, "forReplies" | "settleReplies">;
  readonly context: CallContext;
}

interface AuthorizeOptions<K extends ModelOperation> {
  readonly operation: K;
  readonly catalog: Catalog;
  readonly context: RequestContext;
  readonly header: (name: string) => string | undefined;
}

/**
 * Finds a model that the caller may use for the operation, and notes it for the log and the ledger.
 *
 * @param asked Undefined or null where the request names no model.
 */
export function authorizeModel<K extends ModelOperation>(
  asked: string | null | undefined,
  { operation, catalog, context, header }: AuthorizeOptions<K>,
): AuthorizedCall<K> {
  const { meter, memory, caller, key, signal, trace, coalesce, summary } = context;
  const { modelId, model } = findModel(asked, { operation, catalog, key });
  if (meter === undefined) throw new Error("A request without a key reached a model.");
  summary.model = countedAs(model);
  summary.end = model.end;
  checkServed(model, operation);
  const served = pinToTarget(model, header, context);
  const bulk = lowerPriority(context, header(priorityHeader));
  return { modelId, model: served, meter, memory, context: { caller, signal, trace, bulk, coalesce } };
}

/** Finds a model that the key may call. */
export function findModel(
  asked: string | null | undefined,
  {
    operation,
    catalog,
    key,
  }: Pick<AuthorizeOptions<ModelOperation>, "operation" | "catalog"> & Pick<RequestContext, "key">,
): { readonly modelId: string; readonly model: Model } {
  const modelId = asked ?? catalog.defaultFor(operation);
  if (modelId === undefined) throw modelMissing(operation, catalog, key);
  const model = catalog.find(modelId);
  checkAllowed(modelId, model, { key });
  if (model === undefined) throw modelNotFound({ id: modelId, catalog, key });
  return { modelId, model };
}

/** Throws if the model does not support the operation. */
export function checkServed<K extends ModelOperation>(
  model: Model,
  operation: K,
): asserts model is ModelFor<K> {
  if (!serves(model, operation)) throw operationUnsupported(model, operation);
}

/** A key learns nothing of a model that it may not call, not even whether it exists. */
export function checkAllowed(
  modelId: string,
  model: Model | undefined,
  { key }: Pick<RequestContext, "key">,
): void {
  if (key === undefined || mayCall(key, modelId)) return;
  if (model !== undefined && mayCallAny(key, namesOf(model))) return;
  const error = errorOf("model_not_allowed", { model: modelId }, { param: "model" });
  throw error.with({ forOperators: `${error.message} ${sayAllowed(key.models)}` });
}

/** Operators read it in a record of bounded length. */
const allowedShownMax = 8;

function sayAllowed(models: readonly string[] = []): string {
  if (models.length === 0) return "It may call none.";
  const shown = models.slice(0, allowedShownMax).map((pattern) => `\`${pattern}\``);
  const rest = models.length - shown.length;
  return `It may call ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

function serves<K extends ModelOperation>(model: Model, operation: K): model is ModelFor<K> {
  return kindOf(model).operationsOf(model).includes(operation);
}

/** The header in which a caller may lower the priority of a request. */
const priorityHeader = "x-gateway-priority";

/**
 * Notes for the log and the metrics that a request is a bulk one: by its key, or by its own wish. Undefined where it is
 * interactive.
 */
function lowerPriority(
  { key, summary }: Pick<RequestContext, "key" | "summary">,
  asked: string | undefined,
): BulkCall | undefined {
  const isBulkKey = key?.priority === "bulk";
  if (isBulkKey && asked === "interactive")
    throw errorOf(
      "invalid_value",
      { param: priorityHeader, reason: "this key has the priority 'bulk'" },
      { hint: "A request can lower its priority, not raise it." },
    );
  if (isBulkKey || asked === "bulk") summary.bulk = { place: 0 };
  return summary.bulk;
}
