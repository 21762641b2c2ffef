import {
  type EmbeddingModel,
  type EmbeddingTarget,
  isPattern,
  type Model,
} from "@model-gateway/domain/model";
import { spaceDigest } from "../embeddings/space.js";
import type { CheckedTarget } from "./space-store.js";

/** A target to check, and its call options. */
export interface TargetToCheck extends CheckedTarget {
  readonly asks: { readonly model: EmbeddingModel; readonly target: EmbeddingTarget };
}

/** The models with a vector space. Which models fit a pattern is not known before they are called. */
export function modelsWithSpace(models: Iterable<Model>): EmbeddingModel[] {
  return [...models].filter(
    (model): model is EmbeddingModel => model.type === "embedding" && !isPattern(model.id),
  );
}

/** The id under which the vectors of a model are recorded. */
export function recordedSpaceOf(model: EmbeddingModel): string {
  return model.configuredSpace ?? spaceDigest(model);
}

/** Every target of every embedding model, once for each space. All targets of a space are asked with its first input type. */
export function targetsToCheck(models: Iterable<Model>): TargetToCheck[] {
  const found = new Map<string, TargetToCheck>();
  const inputTypes = new Map<string, string>();
  for (const model of modelsWithSpace(models)) {
    const space = recordedSpaceOf(model);
    const inputType = inputTypes.get(space) ?? model.inputType ?? "";
    inputTypes.set(space, inputType);
    for (const target of model.targets) {
      const { upstream, model: name } = target;
      const key = JSON.stringify([space, upstream, name]);
      if (found.has(key)) continue;
      found.set(key, { space, upstream, model: name, inputType, asks: { model, target } });
    }
  }
  return [...found.values()];
}

/**
 * The models with their accepted revisions.
 *
 * @param accepted How often changed vectors were accepted, by the id of the space.
 */
export function withAcceptedRevisions(
  models: ReadonlyMap<string, Model>,
  accepted: ReadonlyMap<string, number>,
): ReadonlyMap<string, Model> {
  if (accepted.size === 0) return models;
  return new Map([...models].map(([id, model]) => [id, revise(model, accepted)]));
}

function revise(model: Model, accepted: ReadonlyMap<string, number>): Model {
  if (model.type !== "embedding") return model;
  const configuredSpace = spaceDigest(model);
  const count = accepted.get(configuredSpace);
  if (count === undefined) return model;
  const suffix = `accepted-${count}`;
  const revision = model.revision === undefined ? suffix : `${model.revision}+${suffix}`;
  return { ...model, revision, configuredSpace };
}
