import type { Model } from "@model-gateway/domain/model";
import type { ProviderOperations } from "@model-gateway/providers/provider";
import { modelsWithSpace } from "./checked-targets.js";
import { embedAtTarget } from "./embed-at-target.js";

/** A model that returned a vector, and its width. */
interface EmbeddedWord {
  readonly model: string;
  readonly width: number;
}

/** Embeds one word with the first model that creates vectors. It costs about one token. Undefined if none does. */
export async function embedWord(
  models: Iterable<Model>,
  operations: ProviderOperations,
): Promise<EmbeddedWord | undefined> {
  const [model] = modelsWithSpace(models);
  if (model === undefined || operations.createEmbedding === undefined) return undefined;
  const { vectors } = await embedAtTarget(["word"], { model, target: model.targets[0], operations });
  return { model: model.id, width: vectors[0]?.length ?? 0 };
}
