import { builtInEmbeddingModels } from "@model-gateway/local-embeddings/built-in-models";
import { objectAt } from "@model-gateway/runtime/json";
import type { ModelNames } from "../provider.js";

/** The only image model. */
export const sketchModel = "local-sketch";

/** The models of a local upstream: those that come with the gateway, and the operator's own folders. */
export function localModels(settings: Readonly<Record<string, unknown>>): ModelNames {
  const folders = Object.keys(objectAt(settings, "modelFolders"));
  return { embedding: [...builtInEmbeddingModels.map(({ id }) => id), ...folders], image: [sketchModel] };
}

/** The width of a model that comes with the gateway. A folder of the operator may have its name and another width. */
export function widthOf(model: string, settings: Readonly<Record<string, unknown>>): number | undefined {
  if (Object.hasOwn(objectAt(settings, "modelFolders"), model)) return undefined;
  return builtInEmbeddingModels.find(({ id }) => id === model)?.dimensions;
}
