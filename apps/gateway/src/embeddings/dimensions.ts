import type { EmbeddingModel } from "../domain/model.js";
import { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";

/** The width that the answer will have, where it is known. A width that the model cannot give is refused. */
export function checkWidth(asked: number | undefined, model: EmbeddingModel): number | undefined {
  const native = model.dimensions;
  if (asked === undefined || asked === native) return native;
  if (native !== undefined && asked > native) {
    throw new GatewayError(
      "integer_above_max_value",
      `Invalid value for 'dimensions' = ${asked}. Must be less than or equal to ${native}.`,
      { param: "dimensions" },
    );
  }
  if (model.matryoshka) return asked;
  throw new GatewayError(
    "unsupported_parameter",
    `The model '${model.id}' does not support specifying dimensions.`,
    {
      param: "dimensions",
    },
  );
}

/**
 * Shortens a vector that came in its native width where fewer values were asked for. Only a Matryoshka model gets this
 * far: `checkWidth` has refused the others. Any other width stays as it is, and fails verification.
 */
export function fitWidth(vector: Vector, asked: number | undefined, model: EmbeddingModel): Vector {
  if (asked === undefined || vector.width === asked || vector.width !== model.dimensions) return vector;
  return Vector.fromFloats(shorten(vector.toFloats(), asked));
}

/** The first values of a Matryoshka vector, made a unit vector again. https://arxiv.org/abs/2205.13147 */
export function shorten(vector: Float32Array, width: number): Float32Array {
  const head = vector.slice(0, width);
  let squares = 0;
  for (const value of head) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0) return head;
  return head.map((value) => value / length);
}
