import type { EmbeddingModel, EmbeddingTarget, Model } from "@model-gateway/domain/model";
import type { ProviderOperations } from "@model-gateway/providers/provider";
import {
  compareSpaces,
  joinComparisons,
  type ProbeComparison,
  type SpaceComparison,
  type SpaceVector,
} from "@model-gateway/vector-check/spaces";
import { modelsWithSpace } from "./checked-targets.js";
import { embedProbes, type TargetProbes } from "./embed-at-target.js";

/** The state of one vector space, after sending every target the same texts and images. */
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
  /** Whether it has embedded the images. */
  readonly takesImages: boolean;
  /** Against the space's first target that replied, and the first one with images. Undefined for those. */
  readonly comparison: ProbeComparison | undefined;
}

interface ExamineOptions {
  readonly models: Iterable<Model>;
  readonly operationsOf: (upstream: string) => ProviderOperations | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Sends the same texts to every target of every embedding model, and the same images to those that take them, and
 * compares the targets within each space. Targets of one space are called one after the other, and the spaces in parallel.
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
  let reference: Partial<TargetProbes> = {};
  for (const model of models) {
    for (const target of model.targets) {
      const startedAt = now();
      const operations = operationsOf(target.upstream) ?? {};
      const result = await embedProbes({ model, target, operations }).catch((failure: unknown) => ({
        failure,
      }));
      if ("failure" in result) {
        targets.push({ model: model.id, target, result });
        continue;
      }
      const { texts, images } = result;
      const measured = {
        width: texts[0]?.length ?? 0,
        ms: now() - startedAt,
        takesImages: images !== undefined,
        comparison: joinComparisons({
          texts: compareWith(reference.texts, texts),
          images: compareWith(reference.images, images),
        }),
      };
      reference = { texts: reference.texts ?? texts, images: reference.images ?? images };
      targets.push({ model: model.id, target, result: measured });
    }
  }
  return { space, targets };
}

type Vectors = readonly SpaceVector[] | undefined;

/** Undefined if one of them has no vectors. */
function compareWith(reference: Vectors, vectors: Vectors): SpaceComparison | undefined {
  return reference && vectors && compareSpaces(reference, vectors);
}
