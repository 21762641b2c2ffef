import type { AccessKey } from "@model-gateway/domain/access-key";
import type { Handler } from "../../execution/handler.js";
import { mayCallAny } from "../../keys/may-call.js";
import type { Catalog, CatalogModel } from "../catalog.js";
import { describeForCaller, judgeModels } from "../documents/ModelHealth.js";
import type { ObserveState } from "./checkReadiness.js";

export interface ModelHandlerServices {
  readonly catalog: Catalog;
  readonly observe: ObserveState;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function listModels({ catalog, observe, now }: ModelHandlerServices): Handler<"listModels"> {
  return async ({ context: { key } }) => {
    const judged = judgeModels(catalog.all(), await observe(), now());
    return {
      body: {
        object: "list",
        data: listAllowed(catalog, key).map((model) => describeForCaller(model, judged)),
      },
    };
  };
}

/** The models that a key may call. */
export function listAllowed(catalog: Catalog, key: AccessKey | undefined): CatalogModel[] {
  const models = catalog.list();
  return key === undefined
    ? models
    : models.filter(({ id, aliases = [] }) => mayCallAny(key, [id, ...aliases]));
}
