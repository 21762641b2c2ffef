import type { Model } from "@model-gateway/domain/model";
import type { Handler } from "../../execution/handler.js";
import type { RequestContext } from "../../execution/request-context.js";
import { checkAllowed } from "../authorize-model.js";
import type { Catalog } from "../catalog.js";
import { describeForCaller, judgeModels } from "../documents/ModelHealth.js";
import { modelNotFound } from "../model-errors.js";
import type { ModelHandlerServices } from "./listModels.js";

export function retrieveModel({ catalog, observe, now }: ModelHandlerServices): Handler<"retrieveModel"> {
  return async ({ parameters: { model: id }, context }) => {
    const model = catalog.describe(findAllowed(id, catalog, context));
    const judged = judgeModels(catalog.all(), await observe(), now());
    // Under the requested id, which may be an alias.
    return { body: { ...describeForCaller(model, judged), id } };
  };
}

/** A model that the key may look at. */
export function findAllowed(id: string, catalog: Catalog, context: RequestContext): Model {
  // A pattern can be looked at, but not called.
  const model = catalog.find(id) ?? catalog.all().find((one) => one.id === id);
  checkAllowed(id, model, context);
  if (model === undefined) throw modelNotFound({ id, catalog, key: context.key, param: "model" });
  return model;
}
