import type { Model, Target } from "@model-gateway/domain/model";
import { announceEnd, type ModelEnd } from "@model-gateway/domain/model-end";
import { mapTargets } from "../kinds/kind.js";

/** Facts of the catalogue about a target. Empty if it has none. */
export type FactsOf = (
  target: Pick<Target, "upstream" | "model">,
) => Pick<Target, "price" | "isListPrice" | "end">;

/** The model with the facts of the catalogue, wherever the operator's file leaves something open. */
export function withFacts(model: Model, factsOf: FactsOf): Model {
  const targets = mapTargets<Target, Target>(model.targets, (target) => {
    const { end, ...listPrice } = factsOf(target);
    return { ...target, ...(target.price === undefined && listPrice), ...(end && { end }) };
  });
  const end = model.end ?? lastEnd(targets);
  // Each target keeps its keys, so that the model keeps its type.
  return { ...model, targets, ...(end && { end }) } as Model;
}

/** A model ends with its last target. Undefined if one of them has no end. */
function lastEnd(targets: readonly Target[]): ModelEnd | undefined {
  const ends = targets.flatMap(({ end }) => end ?? []);
  if (ends.length < targets.length) return undefined;
  return announceEnd(ends.reduce((last, end) => (end.shutdownOn > last.shutdownOn ? end : last)));
}
