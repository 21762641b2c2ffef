import type { ShownModel } from "./listModels.js";
import type { Schemas } from "./schemas.js";

export type NamedTarget = Pick<Schemas["AdminTarget"], "upstream" | "model">;

export function nameTarget({ upstream, model }: NamedTarget): string {
  return `${upstream} / ${model}`;
}

/** A model may name a target twice, with other weights. */
export function distinctTargets(targets: readonly NamedTarget[]): NamedTarget[] {
  return [...new Map(targets.map((target) => [nameTarget(target), target])).values()];
}

/** Whether a model has targets whose vectors can be compared. */
export function hasVectorsToCompare({ type, isPattern, targets = [] }: ShownModel): boolean {
  return type === "embedding" && !isPattern && distinctTargets(targets).length > 1;
}

/** Names a target in the address. One upstream may have two of the same model, for two models of ours. */
export function targetId({ upstream, model, serves }: Schemas["TargetState"]): string {
  return [upstream, model, ...serves].join(" ");
}
