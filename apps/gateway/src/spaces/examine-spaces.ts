import { compareSpaces, probeTexts, type SpaceComparison } from "@model-gateway/vector-check/spaces";
import type { EmbeddingModel, EmbeddingTarget, Model } from "../domain/model.js";
import type { ProviderOperations } from "../providers/provider.js";
import { modelsWithSpace } from "./checked-targets.js";
import { embedAtTarget } from "./embed-at-target.js";

/** The state of one vector space, after sending every target the same texts. */
export interface ExaminedSpace {
  readonly space: string;
  readonly targets: readonly ExaminedTarget[];
}

export interface ExaminedTarget {
  readonly model: string;
  readonly target: EmbeddingTarget;
  readonly result: ExaminedVectors | { readonly failure: unknown };
}

interface ExaminedVectors {
  readonly width: number;
  readonly ms: number;
  /** Against the space's first target that replied. Absent for that one. */
  readonly comparison?: SpaceComparison;
}

export interface ExamineOptions {
  readonly models: Iterable<Model>;
  readonly operationsOf: (upstream: string) => ProviderOperations | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Sends the same texts to every target of every embedding model, and compares the targets within each space. Targets of
 * one space are called one after the other, and the spaces in parallel.
 */
export function examineSpaces({ models, ...options }: ExamineOptions): Promise<ExaminedSpace[]> {
  const spaces = new Map<string, EmbeddingModel[]>();
  for (const model of modelsWithSpace(models))
    spaces.set(model.space, [...(spaces.get(model.space) ?? []), model]);
  return Promise.all([...spaces].map(([space, members]) => examine(space, members, options)));
}

async function examine(
  space: string,
  models: readonly EmbeddingModel[],
  { operationsOf, now }: Omit<ExamineOptions, "models">,
): Promise<ExaminedSpace> {
  const targets: ExaminedTarget[] = [];
  let reference: readonly Float32Array[] | undefined;
  for (const model of models) {
    for (const target of model.targets) {
      const startedAt = now();
      const result = await ask(model, target, operationsOf(target.upstream)).catch((failure: unknown) => ({
        failure,
      }));
      if ("failure" in result) {
        targets.push({ model: model.id, target, result });
        continue;
      }
      const measured = { width: result[0]?.length ?? 0, ms: now() - startedAt };
      const comparison = reference && { comparison: compareSpaces(reference, result) };
      reference ??= result;
      targets.push({ model: model.id, target, result: { ...measured, ...comparison } });
    }
  }
  return { space, targets };
}

async function ask(
  model: EmbeddingModel,
  target: EmbeddingTarget,
  operations: ProviderOperations | undefined,
): Promise<readonly Float32Array[]> {
  const createEmbedding = operations?.createEmbedding;
  if (createEmbedding === undefined) throw new Error("The upstream creates no embeddings.");
  return (await embedAtTarget(probeTexts, { model, target, createEmbedding })).vectors;
}
