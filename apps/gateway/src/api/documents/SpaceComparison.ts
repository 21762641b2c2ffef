import type { Schemas } from "@model-gateway/domain/operations";
import type { TargetComparison } from "../../spaces/comparison-store.js";

/** A comparison, and whether its model has changed since. */
export interface KnownComparison extends TargetComparison {
  readonly isOutdated: boolean;
}

/** The last comparison of each model, by its id. Built by `app/modules/comparisons.ts`. */
export type ReadComparisons = () => Promise<ReadonlyMap<string, KnownComparison>>;

/** A comparison of targets, as the spec describes it. */
export function describeComparison(comparison: KnownComparison): Schemas["SpaceComparison"] {
  const { model, space, comparedAt, isOutdated, verdict, texts, images, targets } = comparison;
  return {
    object: "space.comparison",
    model,
    space,
    compared_at: Math.floor(comparedAt / 1000),
    outdated: isOutdated,
    verdict,
    texts,
    images,
    targets: targets.map(({ differsIn, cosineMin, neighboursKept, imageCosineMin, width, ...target }) => ({
      upstream: target.upstream,
      model: target.model,
      verdict: target.verdict,
      differs_in: [...differsIn],
      cosine_min: cosineMin,
      neighbours_kept: neighboursKept,
      image_cosine_min: imageCosineMin,
      dimensions: width,
      ms: target.ms,
      error: target.error,
    })),
  };
}
