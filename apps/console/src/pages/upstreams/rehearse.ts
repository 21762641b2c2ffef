import type { Schemas } from "../../operations/schemas.js";
import { type Remedy, remedyFor } from "./remedy.js";

type AdminModel = Schemas["AdminModel"];
type AdminTarget = Schemas["AdminTarget"];

/**
 * The effect on one model. `fallback`: another model would serve its requests. `down`: nothing serves it now, whatever
 * happens to the upstreams.
 */
export interface Rehearsed {
  readonly id: string;
  readonly type: AdminModel["type"];
  readonly outcome: "unchanged" | "moves" | "fallback" | "lost" | "down";
  /** The targets that would serve it: those that work, of the lowest tier left. */
  readonly served: readonly AdminTarget[];
  /** The model that these targets belong to, if it is another one. */
  readonly fallback: string | undefined;
  /** The targets that do not work now. They would get no calls. */
  readonly failing: readonly AdminTarget[];
  /** The ways to keep a model that nothing would serve. */
  readonly remedy: Remedy | undefined;
  /** Whether the first target left costs something else than the first one now. */
  readonly priceChanges: boolean;
}

/** Which target would serve each model if some upstreams were down. Nothing is sent. */
export function rehearse(models: readonly AdminModel[], down: ReadonlySet<string>): Rehearsed[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return models.map((model) => {
    const now = serve(model, byId, new Set());
    const later = serve(model, byId, down);
    const isServed = later.served.length > 0;
    return {
      id: model.id,
      type: model.type,
      outcome: compare(now, later),
      served: later.served,
      fallback: later.fallback,
      failing: model.targets.filter(({ serving }) => !serving),
      remedy: isServed ? undefined : remedyFor(model, down),
      priceChanges:
        isServed && JSON.stringify(now.served[0]?.pricing) !== JSON.stringify(later.served[0]?.pricing),
    };
  });
}

type Serving = Pick<Rehearsed, "served" | "fallback">;

function compare(now: Serving, later: Serving): Rehearsed["outcome"] {
  if (now.served.length === 0) return "down";
  if (later.served.length === 0) return "lost";
  const isSame =
    now.served.length === later.served.length && now.served.every((target) => later.served.includes(target));
  if (isSame) return "unchanged";
  return later.fallback === undefined ? "moves" : "fallback";
}

/** The targets of the model, or those of the first of its fallbacks that has one which works. */
function serve(model: AdminModel, byId: ReadonlyMap<string, AdminModel>, down: ReadonlySet<string>): Serving {
  const seen = new Set<string>();
  let next: AdminModel | undefined = model;
  while (next !== undefined && !seen.has(next.id)) {
    const served = firstTier(next, down);
    if (served.length > 0) return { served, fallback: next === model ? undefined : next.id };
    seen.add(next.id);
    next = byId.get(next.fallback ?? "");
  }
  return { served: [], fallback: undefined };
}

function firstTier({ targets }: AdminModel, down: ReadonlySet<string>): AdminTarget[] {
  const working = targets.filter(({ serving, upstream }) => serving && !down.has(upstream));
  const tier = Math.min(...working.map((target) => target.tier));
  return working.filter((target) => target.tier === tier);
}

/** The share of requests that other targets or models would serve, and the share that would be lost, from 0 to 1. */
export function shareOfTraffic(
  outcomes: readonly Rehearsed[],
  requests: ReadonlyMap<string, number>,
): { readonly moves: number; readonly lost: number } {
  const sum = (of: readonly Rehearsed[]) => of.reduce((total, { id }) => total + (requests.get(id) ?? 0), 0);
  const all = [...requests.values()].reduce((total, count) => total + count, 0);
  const share = (...named: Rehearsed["outcome"][]) =>
    all === 0 ? 0 : sum(outcomes.filter(({ outcome }) => named.includes(outcome))) / all;
  return { moves: share("moves", "fallback"), lost: share("lost") };
}
