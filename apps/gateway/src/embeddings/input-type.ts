import { errorOf } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";

/** The input type of a request, or the model's default. Refuses one that the model does not support. */
export function checkInputType(requested: string | undefined, model: EmbeddingModel): string | undefined {
  if (requested === undefined) return model.inputType;
  const { inputTypes } = model;
  if (inputTypes === "any" || inputTypes?.has(requested) === true) return requested;
  if (inputTypes === undefined) {
    if (makesNoDifference(requested, model)) return undefined;
    throw errorOf("unsupported_parameter", { param: "input_type" });
  }
  const list = [...inputTypes].map((word) => `'${word}'`).join(", ");
  throw errorOf(
    "unsupported_value",
    { param: "input_type", value: requested },
    { hint: `Supported values are: ${list}.` },
  );
}

/**
 * Some clients name one of two uses for every model. A model without input types has one vector for both, unless
 * only some of its targets know them.
 */
function makesNoDifference(requested: string, { targets }: EmbeddingModel): boolean {
  const isUse = requested === "query" || requested === "document";
  return isUse && targets.every(({ inputTypes }) => inputTypes === undefined);
}
