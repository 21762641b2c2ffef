import { isPattern, type Model, type Target, targetKey } from "../../domain/model.js";
import { kindOf } from "../../models/kinds/kinds.js";
import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-state.js";
import type { CatalogModel } from "../catalog.js";

/** The health of a model, from the state of its targets. */
export function describeModelHealth(
  { id, targets }: Pick<Model, "id" | "targets">,
  snapshots: ReadonlyMap<string, TargetSnapshot>,
  now: number,
): Schemas["ModelHealth"] {
  // The targets of patterns have no state.
  const snapshotOf = (target: Target) => (isPattern(id) ? undefined : snapshots.get(targetKey(target)));
  const working = targets.filter((target) => isServing(snapshotOf(target)));
  if (working.length === 0) {
    // It fails since the last of its targets does.
    const unhealthyMs = Math.min(...targets.map((target) => snapshotOf(target)?.unhealthyMs ?? 0));
    return { state: "failing", failing_since: Math.floor((now - unhealthyMs) / 1000), served_by: [] };
  }
  const tier = Math.min(...working.map((target) => target.tier));
  const isPreferred = (target: Target) => target.tier === Math.min(...targets.map((one) => one.tier));
  return {
    state: targets.filter(isPreferred).every((target) => working.includes(target)) ? "healthy" : "degraded",
    failing_since: null,
    served_by: working
      .filter((target) => target.tier === tier)
      .map(({ upstream, model }) => ({ upstream, model })),
  };
}

/** The models without a target that works. */
export function failingModels(
  models: readonly Model[],
  targets: readonly TargetSnapshot[],
  now: number,
): Schemas["FailingModel"][] {
  const snapshots = new Map(targets.map((snapshot) => [targetKey(snapshot), snapshot]));
  return models.flatMap((model) => {
    const { state, failing_since } = describeModelHealth(model, snapshots, now);
    if (state !== "failing") return [];
    const { fallback } = kindOf(model).describeForOperators(model, { shadows: [] });
    return [{ id: model.id, failing_since, fallback: fallback ?? null }];
  });
}

/** Describes models as their callers see them. A model is not failing while its fallback serves its requests. */
export function applyHealth(
  models: readonly CatalogModel[],
  failing: readonly Schemas["FailingModel"][],
): Schemas["Model"][] {
  const byId = new Map(failing.map((one) => [one.id, one]));
  return models.map((model) => describeForCaller(model, byId));
}

function describeForCaller(
  model: CatalogModel,
  failing: ReadonlyMap<string, Schemas["FailingModel"]>,
): Schemas["Model"] {
  const found = failing.get(model.id);
  if (model.status !== "ready" || found === undefined || found.failing_since === null) return model;
  if (found.fallback !== null && !failing.has(found.fallback)) return model;
  return {
    ...model,
    status: "failing",
    status_reason: "None of its upstreams works at the moment.",
    failing_since: found.failing_since,
  };
}

/** Whether a target works. One that was never called may. A drifted one gets calls unless a setting excludes it. */
export function isServing(snapshot: TargetSnapshot | undefined): boolean {
  if (snapshot === undefined || snapshot.state === "healthy") return true;
  return snapshot.state === "drifted" && snapshot.spaceCheck?.isExcluded !== true;
}
