import type { TargetFacts } from "@model-gateway/catalogue/catalogue";
import type { Model, Target } from "@model-gateway/domain/model";
import { announceEnd, type ModelEnd } from "@model-gateway/domain/model-end";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { mapTargets } from "../kinds/kind.js";

/** Facts of the catalogue about a target. Empty if it has none. */
export type FactsOf = (
  target: Pick<Target, "upstream" | "model"> & { readonly like?: string | undefined },
) => TargetFacts;

/** The model with the facts of the catalogue, wherever the operator's file leaves something open. */
export function withFacts(model: Model, factsOf: FactsOf): Model {
  const targets = mapTargets<Target, Target>(model.targets, (target) => {
    const { price, isListPrice, ...facts } = factsOf(target);
    const listPrice = target.price === undefined && withoutUndefined({ price, isListPrice });
    return { ...target, ...listPrice, ...facts };
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
