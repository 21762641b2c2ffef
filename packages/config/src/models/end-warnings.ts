import type { Model } from "@model-gateway/domain/model";
import { describeEnd } from "@model-gateway/domain/model-end";

/** A sentence about each model, or target of one, that ends soon or has ended. */
export function endWarnings(models: Iterable<Model>, now: number): string[] {
  return [...models].flatMap(({ id, end, targets }) => {
    const ofTargets = targets.flatMap((target) => {
      const when = target.end && describeEnd(target.end, now);
      return when === undefined
        ? []
        : [`The model "${id}" calls ${target.model} at "${target.upstream}", which ${when}.`];
    });
    if (ofTargets.length > 0) return ofTargets;
    const when = end && describeEnd(end, now);
    return when === undefined ? [] : [`The model "${id}" ${when}.`];
  });
}
