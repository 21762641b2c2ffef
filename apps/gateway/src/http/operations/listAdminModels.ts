import type { Model, Target } from "../../domain/model.js";
import type { Schemas } from "../../operations.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";
import { describeLimits } from "../schemas/UsageLimits.js";

export interface AdminModelHandlerServices {
  readonly catalog: Catalog;
  /** Whether the price of a request to the target is known. */
  readonly isPriced: (target: Target) => boolean;
}

export function listAdminModels({
  catalog,
  isPriced,
}: AdminModelHandlerServices): Handler<"listAdminModels"> {
  const describe = (
    { id, status, status_reason }: Schemas["Model"],
    model: Model,
  ): Schemas["AdminModel"] => ({
    object: "admin.model",
    id,
    type: model.type,
    strategy: model.strategy,
    status,
    status_reason: status_reason ?? null,
    limits: describeLimits(model.limits ?? {}),
    targets: model.targets.map((target: Target) => describeTarget(target, isPriced(target))),
  });
  return async () => ({
    body: {
      object: "list",
      data: catalog.list().flatMap((listed) => {
        const model = catalog.find(listed.id);
        return model === undefined ? [] : [describe(listed, model)];
      }),
      next_cursor: null,
    },
  });
}

function describeTarget(
  { upstream, model, weight, tier, capacity }: Target,
  priceKnown: boolean,
): Schemas["AdminTarget"] {
  return {
    upstream,
    model,
    weight,
    tier,
    max_concurrency: capacity.maxConcurrency ?? null,
    requests_per_minute: capacity.requestsPerMinute ?? null,
    tokens_per_minute: capacity.tokensPerMinute ?? null,
    price_known: priceKnown,
  };
}
