import type { EmbeddingModel, EmbeddingTarget } from "@model-gateway/domain/model";

/** An embedding model for tests, with one target. */
export function embeddingModel(
  model: Partial<Omit<EmbeddingModel, "targets">> = {},
  target: Partial<EmbeddingTarget> = {},
): EmbeddingModel {
  return {
    id: "model",
    type: "embedding",
    strategy: "fastest",
    deadlineMs: 60_000,
    space: "model@4",
    unitVectors: true,
    dimensions: 4,
    matryoshka: false,
    maxInputs: 2048,
    targets: [
      {
        upstream: "upstream",
        model: "model",
        weight: 1,
        tier: 1,
        maxInputs: 2048,
        maxTokensPerRequest: 300_000,
        maxCharactersPerRequest: Number.POSITIVE_INFINITY,
        takesUser: true,
        normalizes: false,
        capacity: {},
        dimensions: "pass",
        ...target,
      },
    ],
    ...model,
  };
}
