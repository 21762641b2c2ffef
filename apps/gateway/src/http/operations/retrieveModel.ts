import { checkAllowed } from "../authorize-model.js";
import { type Catalog, modelNotFound } from "../catalog.js";
import type { Handler } from "../handler.js";

export function retrieveModel(catalog: Catalog): Handler<"retrieveModel"> {
  return async ({ parameters, context }) => {
    checkAllowed(parameters.model, context);
    const model = catalog.find(parameters.model);
    if (model === undefined) throw modelNotFound(parameters.model, "model");
    return { body: catalog.describe(model) };
  };
}
