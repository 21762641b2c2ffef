import { isPattern, type Model, type Target, targetKey } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { TargetSnapshot } from "@model-gateway/scheduling/target-state";
import { servedKindOf } from "../../models/kinds/served-kinds.js";
import type { CatalogModel } from "../catalog.js";
import { isServing } from "./TargetState.js";

/** The status of a model, for every view. */
export interface JudgedModel {
  readonly status: Schemas["ModelStatus"];
  readonly health: Schemas["ModelHealth"];
  /** The model that serves its requests while none of its targets works. */
  readonly fallback: string | undefined;
  /** Whether a request for it would be sent to an upstream, even if it is likely to fail. */
  readonly isTried: boolean;
}

/** The part of the state of the gateway that decides about its models. */
interface ObservedModels {
  readonly targets: readonly TargetSnapshot[];
  readonly availableModels: readonly string[];
}

/** By the ids of the models. */
export type JudgedModels = ReadonlyMap<string, JudgedModel>;

/**
 * Decides the status of every model, from the state of the targets. No other place does.
 *
 * @param now Milliseconds since 1970.
 */
export function judgeModels(
  models: readonly Model[],
  { targets, availableModels }: ObservedModels,
  now: number,
): JudgedModels {
  const available = new Set(availableModels);
  const snapshots = new Map(targets.map((snapshot) => [targetKey(snapshot), snapshot]));
  const views = new Map(
    models.map((model) => [
      model.id,
      {
        isAvailable: available.has(model.id),
        fallback: servedKindOf(model).describeForOperators(model, { shadows: [] }).fallback ?? undefined,
        ...judgeTargets(model, snapshots, now),
      },
    ]),
  );
  return new Map(
    [...views].map(([id, view]) => {
      const { health, fallback, isAvailable, isTried } = view;
      return [id, { status: statusOf(view, views), health, fallback, isTried: isAvailable && isTried }];
    }),
  );
}

interface ModelView extends Omit<JudgedModel, "status"> {
  readonly isAvailable: boolean;
  /** Whether all targets of its lowest tier work, and none has drifted. */
  readonly isWhole: boolean;
}

function statusOf(view: ModelView, views: ReadonlyMap<string, ModelView>): JudgedModel["status"] {
  if (!view.isAvailable) return "unavailable";
  if (view.health.served_by.length > 0) return view.isWhole ? "ready" : "degraded";
  return hasFallback(view, views) ? "degraded" : "failing";
}

/** Whether one of its fallbacks serves. A fallback may have another one. */
function hasFallback({ fallback }: ModelView, views: ReadonlyMap<string, ModelView>): boolean {
  const seen = new Set<string>();
  let next = fallback;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const view = views.get(next);
    if (view?.isAvailable === true && view.health.served_by.length > 0) return true;
    next = view?.fallback;
  }
  return false;
}

function judgeTargets(
  { id, targets }: Pick<Model, "id" | "targets">,
  snapshots: ReadonlyMap<string, TargetSnapshot>,
  now: number,
): Pick<ModelView, "health" | "isTried" | "isWhole"> {
  // The targets of patterns have no state.
  const snapshotOf = (target: Target) => (isPattern(id) ? undefined : snapshots.get(targetKey(target)));
  const working = targets.filter((target) => isServingTarget(snapshotOf(target)));
  const tierOf = (list: readonly Target[]) => Math.min(...list.map(({ tier }) => tier));
  const preferred = targets.filter(({ tier }) => tier === tierOf(targets));
  return {
    health: {
      failing_since: working.length > 0 ? null : failingSince(targets.map(snapshotOf), now),
      served_by: working
        .filter(({ tier }) => tier === tierOf(working))
        .map(({ upstream, model }) => ({ upstream, model })),
    },
    isTried: targets.some((target) => mayBeTried(snapshotOf(target))),
    isWhole: preferred.every((target) => working.includes(target) && snapshotOf(target)?.state !== "drifted"),
  };
}

/** A model fails since the last of its targets does. */
function failingSince(snapshots: readonly (TargetSnapshot | undefined)[], now: number): number {
  const unhealthyMs = Math.min(...snapshots.map((snapshot) => snapshot?.unhealthyMs ?? 0));
  return Math.floor((now - unhealthyMs) / 1000);
}

export function isServingTarget(snapshot: TargetSnapshot | undefined): boolean {
  return snapshot === undefined || isServing(snapshot);
}

/**
 * Whether requests reach a target, now or once its circuit breaker has waited. Only a request can show that such a target
 * works again, so a gateway that has one takes requests.
 */
function mayBeTried(snapshot: TargetSnapshot | undefined): boolean {
  if (snapshot === undefined || isServing(snapshot)) return true;
  if (snapshot.state === "misconfigured") return snapshot.pausedMs === 0;
  return snapshot.state !== "drifted";
}

/** The models of which no target works, with the one that serves their requests instead. */
export function failingModels(judged: JudgedModels): Schemas["FailingModel"][] {
  return [...judged].flatMap(([id, { health, fallback }]) =>
    health.failing_since === null
      ? []
      : [{ id, failing_since: health.failing_since, fallback: fallback ?? null }],
  );
}

/** Why a model does not serve requests, without the name of an upstream. */
export function describeStatus(
  judged: JudgedModel | undefined,
  { status, status_reason }: CatalogModel,
): Pick<Schemas["Model"], "status" | "status_reason"> {
  const found = judged?.status ?? status;
  const failing = found === "failing" ? "None of its upstreams works at the moment." : undefined;
  const reason = status_reason ?? failing;
  return { status: found, ...(reason !== undefined && { status_reason: reason }) };
}

/** Describes a model as its callers see it. One behind a pattern has no state. */
export function describeForCaller(model: CatalogModel, judged: JudgedModels): Schemas["Model"] {
  const found = judged.get(model.id);
  const described = describeStatus(found, model);
  const since = described.status === "failing" ? found?.health.failing_since : undefined;
  return { ...model, ...described, ...(typeof since === "number" && { failing_since: since }) };
}
