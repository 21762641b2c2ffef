import { checkAllowed } from "../authorize-model.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";
import { modelNotFound } from "../model-errors.js";

export function retrieveModel(catalog: Catalog): Handler<"retrieveModel"> {
  return async ({ parameters, context }) => {
    const { model: id } = parameters;
    // A pattern can be looked at, but not called.
    const model = catalog.find(id) ?? catalog.all().find((one) => one.id === id);
    checkAllowed(id, model, context);
    if (model === undefined) throw modelNotFound({ id, catalog, key: context.key, param: "model" });
    // Under the id that was asked for, which may be an alias.
    return { body: { ...catalog.describe(model), id } };
  };
}
