import type { Schemas } from "../../operations/schemas.js";

type AdminModel = Schemas["AdminModel"];
type AdminTarget = Schemas["AdminTarget"];

/** The effect on one model. */
export interface Rehearsed {
  readonly id: string;
  readonly outcome: "unchanged" | "moves" | "gone";
  /** The targets that would serve it: those of the first tier that is left. */
  readonly served: readonly AdminTarget[];
  /** Whether the first target left costs something else than the first one now. */
  readonly priceChanges: boolean;
}

/** Which target would serve each model if some upstreams were down. Nothing is sent. */
export function rehearse(models: readonly AdminModel[], down: ReadonlySet<string>): Rehearsed[] {
  return models.map((model) => {
    const now = firstTier(model.targets);
    const served = firstTier(model.targets.filter(({ upstream }) => !down.has(upstream)));
    const isSame = now.length === served.length && now.every((target) => served.includes(target));
    return {
      id: model.id,
      outcome: served.length === 0 ? "gone" : isSame ? "unchanged" : "moves",
      served,
      priceChanges: JSON.stringify(now[0]?.price) !== JSON.stringify(served[0]?.price),
    };
  });
}

function firstTier(targets: readonly AdminTarget[]): AdminTarget[] {
  const tier = Math.min(...targets.map((target) => target.tier));
  return targets.filter((target) => target.tier === tier);
}
