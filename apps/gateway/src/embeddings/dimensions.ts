import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel, EmbeddingTarget } from "@model-gateway/domain/model";
import { Vector } from "@model-gateway/domain/vector";

/** The width of the response, where it is known. Refuses a width that the model does not support. */
export function checkDimensions(requested: number | undefined, model: EmbeddingModel): number | undefined {
  const native = model.dimensions;
  if (requested === undefined || requested === native) return native;
  if (!model.matryoshka) {
    const reason = `The model '${model.id}' does not support specifying dimensions`;
    const remedy =
      native === undefined
        ? `${reason}. Omit 'dimensions'.`
        : `${reason}: its vectors always have ${native}. Send ${native}, or omit 'dimensions'.`;
    throw new GatewayError("unsupported_parameter", remedy, { param: "dimensions" });
  }
  if (native === undefined || requested < native) return requested;
  throw new GatewayError(
    "integer_above_max_value",
    `Invalid value for 'dimensions' = ${requested}. Must be less than or equal to ${native}.`,
    { param: "dimensions" },
  );
}

/** Whether the target is asked for the width. Otherwise the gateway shortens the vectors of the reply. */
export function takesWidth({ dimensions, widths }: EmbeddingTarget, width: number | undefined): boolean {
  if (dimensions === "emulate") return width === undefined;
  return widths === undefined || width === undefined || widths.includes(width);
}

/**
 * Shortens a native-width vector if fewer values were requested. Only Matryoshka models get here: `checkDimensions` has
 * refused the others. A vector of any other width is returned as it is, and fails verification.
 */
export function fitDimensions(vector: Vector, requested: number | undefined, model: EmbeddingModel): Vector {
  if (requested === undefined || vector.width === requested || vector.width !== model.dimensions)
    return vector;
  return Vector.fromFloats(shorten(vector.toFloats(), requested));
}

/** The first values of a Matryoshka vector, normalised to a unit vector. https://arxiv.org/abs/2205.13147 */
export function shorten(vector: Float32Array, width: number): Float32Array {
  const head = vector.slice(0, width);
  const length = lengthOf(head);
  return length === 0 ? head : divide(head, length);
}

/** Float32 unit vectors miss a length of 1 by less than this. */
const lengthTolerance = 1e-3;

/** Divides a vector by its length, if that is not 1. The zero vector has no direction and stays as it is. */
export function toUnitVector(vector: Vector): Vector {
  const floats = vector.toFloats();
  const length = lengthOf(floats);
  if (length === 0 || Math.abs(length - 1) <= lengthTolerance) return vector;
  return Vector.fromFloats(divide(floats, length));
}

function lengthOf(floats: Float32Array): number {
  let squares = 0;
  for (const value of floats) squares += value * value;
  return Math.sqrt(squares);
}

function divide(floats: Float32Array, divisor: number): Float32Array {
  return floats.map((value) => value / divisor);
}
