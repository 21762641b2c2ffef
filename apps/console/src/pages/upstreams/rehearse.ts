import type { Schemas } from "../../operations/schemas.js";

type AdminModel = Schemas["AdminModel"];
type AdminTarget = Schemas["AdminTarget"];

/** The effect on one model. `down`: it has no working target now, whatever happens to the upstreams. */
export interface Rehearsed {
  readonly id: string;
  readonly outcome: "unchanged" | "moves" | "lost" | "down";
  /** The targets that would serve it: those that work, of the lowest tier left. */
  readonly served: readonly AdminTarget[];
  /** The targets that do not work now. They would get no calls. */
  readonly failing: readonly AdminTarget[];
  /** Whether the first target left costs something else than the first one now. */
  readonly priceChanges: boolean;
}

/** Which target would serve each model if some upstreams were down. Nothing is sent. */
export function rehearse(models: readonly AdminModel[], down: ReadonlySet<string>): Rehearsed[] {
  return models.map((model) => {
    const working = model.targets.filter(({ serving }) => serving);
    const now = firstTier(working);
    const served = firstTier(working.filter(({ upstream }) => !down.has(upstream)));
    const isSame = now.length === served.length && now.every((target) => served.includes(target));
    const isServed = served.length > 0;
    return {
      id: model.id,
      outcome: now.length === 0 ? "down" : !isServed ? "lost" : isSame ? "unchanged" : "moves",
      served,
      failing: model.targets.filter(({ serving }) => !serving),
      priceChanges: isServed && JSON.stringify(now[0]?.price) !== JSON.stringify(served[0]?.price),
    };
  });
}

/** The share of requests that would move to other targets, and the share that would be lost, from 0 to 1. */
export function shareOfTraffic(
  outcomes: readonly Rehearsed[],
  requests: ReadonlyMap<string, number>,
): { readonly moves: number; readonly lost: number } {
  const sum = (of: readonly Rehearsed[]) => of.reduce((total, { id }) => total + (requests.get(id) ?? 0), 0);
  const all = [...requests.values()].reduce((total, count) => total + count, 0);
  const share = (outcome: Rehearsed["outcome"]) =>
    all === 0 ? 0 : sum(outcomes.filter((one) => one.outcome === outcome)) / all;
  return { moves: share("moves"), lost: share("lost") };
}

function firstTier(targets: readonly AdminTarget[]): AdminTarget[] {
  const tier = Math.min(...targets.map((target) => target.tier));
  return targets.filter((target) => target.tier === tier);
}
