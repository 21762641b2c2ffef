import type { Model } from "../domain/model.js";
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
  { createEmbedding }: ProviderOperations,
): Promise<EmbeddedWord | undefined> {
  const [model] = modelsWithSpace(models);
  if (model === undefined || createEmbedding === undefined) return undefined;
  const [target] = model.targets;
  const { vectors } = await embedAtTarget(["word"], { model, target, createEmbedding });
  return { model: model.id, width: vectors[0]?.length ?? 0 };
}
