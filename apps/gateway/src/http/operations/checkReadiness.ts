import type { ShadowFigures } from "../../embeddings/shadow.js";
import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-state.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";
import { bearerOf } from "../request/authenticate.js";
import { failingModels } from "../schemas/ModelHealth.js";
import { describeTargets } from "../schemas/TargetState.js";

/** The readiness of a gateway and its targets. */
export interface GatewayState {
  /** The ids of the models that at least one worker can serve. */
  readonly readyModels: readonly string[];
  readonly targets: readonly TargetSnapshot[];
  readonly shadows: readonly ShadowFigures[];
}

/** The state of all workers together. Built by `app/observe-state.ts`. */
export type ObserveState = () => Promise<GatewayState>;

export interface ReadinessHandlerServices {
  readonly catalog: Catalog;
  /** Whether the gateway is shutting down. */
  readonly isStopping: () => boolean;
  readonly observe: ObserveState;
  readonly isAdminKey: (presented: string) => boolean;
  readonly storage: () => Schemas["StorageState"];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function checkReadiness({
  catalog,
  isStopping,
  observe,
  isAdminKey,
  storage,
  now,
}: ReadinessHandlerServices): Handler<"checkReadiness"> {
  return async ({ query, header }) => {
    const { readyModels, targets } = await observe();
    const models = catalog.list();
    const ready = models.filter(({ id }) => readyModels.includes(id)).length;
    const status = isStopping() ? "stopping" : ready > 0 ? "ready" : "unavailable";
    const presented = bearerOf(header("authorization"));
    const isOperator = presented !== undefined && isAdminKey(presented);
    const isVerbose = query.verbose !== undefined;
    const failing = isVerbose ? failingModels(catalog.all(), targets, now()) : [];
    const body: Schemas["Readiness"] = {
      status,
      models: { total: models.length, ready, ...(isVerbose && { failing: failing.length }) },
      ...(isVerbose && { target_states: countStates(targets), storage: storage() }),
      // Names and errors are for the operator alone.
      ...(isVerbose &&
        isOperator && {
          failing_models: failing,
          targets: describeTargets(targets, { models: catalog.all(), now: now() }),
        }),
    };
    return status === "ready" ? { body } : { status: 503, headers: { "retry-after": "5" }, body };
  };
}

function countStates(targets: readonly TargetSnapshot[]): NonNullable<Schemas["Readiness"]["target_states"]> {
  const counts: Record<string, number> = {};
  for (const { state } of targets) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
