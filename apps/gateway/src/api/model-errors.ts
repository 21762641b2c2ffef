import { kindOf } from "@model-gateway/config/kinds/kinds";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { closeNames } from "@model-gateway/domain/close-names";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { isPattern, type Model, namesOf } from "@model-gateway/domain/model";
import { type ModelOperation, modelPaths } from "@model-gateway/domain/operations";
import { mayCallAny } from "../keys/may-call.js";
import type { Catalog } from "./catalog.js";

/** Number of models that an error lists. */
const listedMax = 20;

/** An unknown model id, and its caller. */
interface UnknownModel {
  readonly id: string;
  readonly catalog: Catalog;
  readonly key: AccessKey | undefined;
  readonly param?: "model";
}

/** Names the models that the caller may have meant, of those that it may call. */
export function modelNotFound({ id, catalog, key, param }: UnknownModel): GatewayError {
  const close = closeNames(id, callableNames(catalog, key));
  const question =
    close.length === 0 ? "" : `Did you mean ${close.map((name) => `\`${name}\``).join(" or ")}? `;
  const hint = `${question}GET /v1/models lists the models that you can call.`;
  return errorOf("model_not_found", { model: id }, { param, hint });
}

/** A request without a model, for an operation without a default. */
export function modelMissing(
  operation: ModelOperation,
  catalog: Catalog,
  key: AccessKey | undefined,
): GatewayError {
  const ids = catalog
    .all()
    .filter(
      (model) => kindOf(model).operationsOf(model).includes(operation) && isCallable(namesOf(model), key),
    )
    .map(({ id }) => `'${id}'`);
  const more = ids.length > listedMax ? `, and ${ids.length - listedMax} more` : "";
  const list =
    ids.length === 0
      ? "This key may call no model that supports the operation."
      : `The models for it are: ${ids.slice(0, listedMax).join(", ")}${more}.`;
  return errorOf("missing_required_parameter", { param: "model" }, { hint: list });
}

/** A request for something else than the model makes. */
export function operationUnsupported(model: Model, operation: ModelOperation): GatewayError {
  const served = servedPaths(kindOf(model).operationsOf(model));
  return new GatewayError(
    "unsupported_operation",
    `The model '${model.id}' does not serve POST ${modelPaths[operation]}. It serves ${served}.`,
    { param: "model" },
  );
}

/** Operations as callers know them: by their paths. */
export function servedPaths(operations: readonly string[]): string {
  return Object.entries(modelPaths)
    .flatMap(([operation, path]) => (operations.includes(operation) ? [`POST ${path}`] : []))
    .join(" and ");
}

function* callableNames(catalog: Catalog, key: AccessKey | undefined): Generator<string> {
  for (const model of catalog.all()) {
    const names = namesOf(model);
    if (!isPattern(model.id) && isCallable(names, key)) yield* names;
  }
}

function isCallable(names: readonly string[], key: AccessKey | undefined): boolean {
  return key === undefined || mayCallAny(key, names);
}
