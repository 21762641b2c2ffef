import type { ModelOfType } from "@model-gateway/domain/model";
import type { ModelType } from "@model-gateway/domain/operations";
import { servedEmbedding } from "./served-embedding.js";
import { servedImage } from "./served-image.js";
import type { ServedKind } from "./served-kind.js";

const kinds = { embedding: servedEmbedding, image: servedImage } satisfies {
  readonly [T in ModelType]: ServedKind<ModelOfType<T>>;
};

/** The kind of a model. */
export function servedKindOf({ type }: { readonly type: ModelType }): ServedKind {
  return kinds[type];
}
