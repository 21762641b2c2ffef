import type { ModelOfType } from "@model-gateway/domain/model";
import { type ModelType, modelTypes } from "@model-gateway/domain/operations";
import { z } from "zod";
import { embedding } from "./embedding/embedding.js";
import { image } from "./image/image.js";
import type { ModelKind } from "./kind.js";

/** All kinds of models. A new one is a folder and a line here. */
const kinds = { embedding, image } satisfies { readonly [T in ModelType]: ModelKind<ModelOfType<T>> };

/** The kind of a model, or of a type. */
export function kindOf({ type }: { readonly type: ModelType }): ModelKind {
  return kinds[type];
}

/** In the order in which they are shown and tried. */
export const allKinds: readonly ModelKind[] = modelTypes.map((type) => kinds[type]);

export function isModelType(type: unknown): type is ModelType {
  return modelTypes.some((one) => one === type);
}

type ModelSettings = (typeof kinds)[ModelType]["settings"];

/** A configured model. There is at least one kind. */
export const modelSchema = z.discriminatedUnion(
  "type",
  modelTypes.map((type) => kinds[type].settings) as [ModelSettings, ...ModelSettings[]],
);

export type AnyModelFile = z.output<ModelSettings>;
