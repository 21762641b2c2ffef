import type { EmbeddingModel } from "../../domain/model.js";
import { spaceDigest } from "../../embeddings/space.js";
import type { Schemas } from "../../operations.js";

/** The vector space of a model as the spec describes it. */
export function describeSpace(model: EmbeddingModel): Schemas["VectorSpace"] {
  const { space: name, revision = null, unitVectors } = model;
  return { id: spaceDigest(model), name, revision, unit_vectors: unitVectors };
}
