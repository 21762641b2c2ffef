import type { EmbeddingModel, Model } from "../domain/model.js";
import type { ProviderOperations } from "../providers/provider.js";
import { modelsWithSpace } from "./checked-targets.js";
import { embedAtTarget } from "./embed-at-target.js";

/** A model that returned a vector, and its width. */
export interface EmbeddedWord {
  readonly model: string;
  readonly width: number;
}

/** Embeds one word with the first model that creates vectors. It costs about one token. Undefined if none does. */
export async function embedWord(
  models: Iterable<Model>,
  operations: ProviderOperations,
): Promise<EmbeddedWord | undefined> {
  const [model] = modelsWithSpace(models);
  const vectors = model && (await embedTexts(["word"], { model, operations }));
  return vectors && { model: model.id, width: vectors[0]?.length ?? 0 };
}

interface TextsToEmbed {
  readonly model: EmbeddingModel;
  readonly operations: ProviderOperations;
  readonly signal?: AbortSignal;
}

/** Embeds texts at the first target of a model. Undefined if its provider creates no vectors. */
export async function embedTexts(
  texts: readonly string[],
  { model, operations: { createEmbedding }, signal }: TextsToEmbed,
): Promise<readonly Float32Array[] | undefined> {
  const [target] = model.targets;
  if (createEmbedding === undefined) return undefined;
  const call = { model, target, createEmbedding, ...(signal && { signal }) };
  return (await embedAtTarget(texts, call)).vectors;
}
