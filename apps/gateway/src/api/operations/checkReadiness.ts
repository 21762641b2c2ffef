import type { Schemas } from "@model-gateway/domain/operations";
import type { TargetSnapshot } from "@model-gateway/scheduling/target-state";
import type { ShadowFigures } from "../../embeddings/shadow.js";
import { bearerOf } from "../../execution/caller.js";
import type { Handler } from "../../execution/handler.js";
import type { Catalog } from "../catalog.js";
import { failingModels, type JudgedModel, type JudgedModels, judgeModels } from "../documents/ModelHealth.js";
import { describeTargets } from "../documents/TargetState.js";

/** The readiness of a gateway and its targets. */
export interface GatewayState {
  /** The ids of the models for which at least one worker has everything that they need. */
  readonly availableModels: readonly string[];
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
  /** Whether a text is the key of an operator whose role may read names and errors. */
  readonly mayReadDetails: (presented: string) => boolean;
  readonly storage: () => Schemas["StorageState"];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function checkReadiness({
  catalog,
  isStopping,
  observe,
  mayReadDetails,
  storage,
  now,
}: ReadinessHandlerServices): Handler<"checkReadiness"> {
  return async ({ query, header }) => {
    const state = await observe();
    const { targets } = state;
    const judged = judgeModels(catalog.all(), state, now());
    const status = isStopping() ? "stopping" : statusOf(judged);
    const presented = bearerOf(header("authorization"));
    const isVerbose = query.verbose !== undefined;
    const body: Schemas["Readiness"] = {
      status,
      models: {
        total: judged.size,
        ready: countWith(judged, ["ready", "degraded"]),
        failing: countWith(judged, ["failing"]),
      },
      ...(isVerbose && { target_states: countStates(targets), storage: storage() }),
      // Names and errors are for operators alone.
      ...(isVerbose &&
        presented !== undefined &&
        mayReadDetails(presented) && {
          failing_models: failingModels(judged),
          targets: describeTargets(targets, { models: catalog.all(), now: now() }),
        }),
    };
    return status === "ready" || status === "failing"
      ? { body }
      : { status: 503, headers: { "retry-after": "5" }, body };
  };
}

/** A gateway is taken out of service only if it would send no request to any upstream. */
function statusOf(judged: JudgedModels): Schemas["Readiness"]["status"] {
  if (countWith(judged, ["ready", "degraded"]) > 0) return "ready";
  return [...judged.values()].some(({ isTried }) => isTried) ? "failing" : "unavailable";
}

function countWith(judged: JudgedModels, statuses: readonly JudgedModel["status"][]): number {
  return [...judged.values()].filter(({ status }) => statuses.includes(status)).length;
}

function countStates(targets: readonly TargetSnapshot[]): NonNullable<Schemas["Readiness"]["target_states"]> {
  const counts: Record<string, number> = {};
  for (const { state } of targets) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
