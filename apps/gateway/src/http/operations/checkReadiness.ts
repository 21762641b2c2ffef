import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";
import { describeTarget } from "../schemas/TargetState.js";

export interface ReadinessHandlerServices {
  readonly catalog: Catalog;
  /** Whether the gateway is shutting down. */
  readonly isStopping: () => boolean;
  readonly targets: () => readonly TargetSnapshot[];
  readonly storage: () => Schemas["StorageState"];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function checkReadiness({
  catalog,
  isStopping,
  targets,
  storage,
  now,
}: ReadinessHandlerServices): Handler<"checkReadiness"> {
  return async ({ query }) => {
    const models = catalog.list();
    const ready = models.filter((model) => model.status === "ready").length;
    const status = isStopping() ? "stopping" : ready > 0 ? "ready" : "unavailable";
    const body: Schemas["Readiness"] = {
      status,
      models: { total: models.length, ready },
      ...(query.verbose === undefined
        ? {}
        : { targets: targets().map((target) => describeTarget(target, now())), storage: storage() }),
    };
    return status === "ready" ? { body } : { status: 503, headers: { "retry-after": "5" }, body };
  };
}
