import type { AccessKey } from "../../domain/access-key.js";
import { mayCallAny } from "../../keys/may-call.js";
import type { Schemas } from "../../operations.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";

export function listModels(catalog: Catalog): Handler<"listModels"> {
  return async ({ context: { key } }) => ({ body: { object: "list", data: listAllowed(catalog, key) } });
}

/** The models that a key may call. */
export function listAllowed(catalog: Catalog, key: AccessKey | undefined): Schemas["Model"][] {
  const models = catalog.list();
  return key === undefined
    ? models
    : models.filter(({ id, aliases = [] }) => mayCallAny(key, [id, ...aliases]));
}
