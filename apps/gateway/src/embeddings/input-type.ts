import type { EmbeddingModel } from "../domain/model.js";
import { GatewayError } from "../errors.js";

/** The input type of a request, or the model's default. Refuses one that the model does not support. */
export function checkInputType(requested: string | undefined, model: EmbeddingModel): string | undefined {
  if (requested === undefined) return model.inputType;
  const { inputTypes } = model;
  if (inputTypes === "any" || inputTypes?.has(requested) === true) return requested;
  if (inputTypes === undefined) {
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported parameter: 'input_type' is not supported with the model '${model.id}'.`,
      { param: "input_type" },
    );
  }
  const list = [...inputTypes].map((word) => `'${word}'`).join(", ");
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value: 'input_type' does not support '${requested}' with this model. Supported values are: ${list}.`,
    { param: "input_type" },
  );
}
