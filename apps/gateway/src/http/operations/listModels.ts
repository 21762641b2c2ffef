import type { AccessKey } from "../../domain/access-key.js";
import { mayCallAny } from "../../keys/may-call.js";
import type { Catalog, CatalogModel } from "../catalog.js";
import type { Handler } from "../handler.js";
import { applyHealth, failingModels } from "../schemas/ModelHealth.js";
import type { ObserveState } from "./checkReadiness.js";

export interface ModelHandlerServices {
  readonly catalog: Catalog;
  readonly observe: ObserveState;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function listModels({ catalog, observe, now }: ModelHandlerServices): Handler<"listModels"> {
  return async ({ context: { key } }) => {
    const { targets } = await observe();
    const failing = failingModels(catalog.all(), targets, now());
    return { body: { object: "list", data: applyHealth(listAllowed(catalog, key), failing) } };
  };
}

/** The models that a key may call. */
export function listAllowed(catalog: Catalog, key: AccessKey | undefined): CatalogModel[] {
  const models = catalog.list();
  return key === undefined
    ? models
    : models.filter(({ id, aliases = [] }) => mayCallAny(key, [id, ...aliases]));
}
