import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { type CalibratedDtype, calibratedRanges } from "@model-gateway/domain/output-dtype";
import type { EmbeddingReply } from "@model-gateway/domain/requests";
import { Vector } from "@model-gateway/domain/vector";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import { fitDimensions, toUnitVector } from "./dimensions.js";

/** Requirements for a reply: the number of vectors, and the requested width or else the model's own. */
interface ExpectedVectors {
  readonly count: number;
  readonly dimensions: number | undefined;
  readonly model: EmbeddingModel;
  /** The integers that were requested. Undefined for floats. */
  readonly outputDtype?: CalibratedDtype | undefined;
  /** Whether vectors of another length than 1 are normalised. */
  readonly normalizes: boolean;
}

/**
 * Puts the vectors in input order, and shortens those that are wider than requested. Anything but one finite vector of
 * the right width for each input is an upstream failure.
 */
export async function verifyEmbeddings(
  reply: EmbeddingReply,
  { count, dimensions, model, outputDtype, normalizes }: ExpectedVectors,
): Promise<readonly Vector[]> {
  const ordered = inOrder(reply, count);
  const width = dimensions ?? model.dimensions ?? ordered[0]?.width ?? 0;
  const slice = new TimeSlice();
  const verified: Vector[] = [];
  for (let index = 0; index < ordered.length; index += 1) {
    const vector = ordered[index];
    verified.push(
      outputDtype === undefined
        ? verify(vector, index, { width, dimensions, model, normalizes })
        : verifyIntegers(vector, index, { width, outputDtype }),
    );
    if (slice.isOver) await slice.yield();
  }
  return verified;
}

function inOrder({ items }: EmbeddingReply, count: number): (Vector | undefined)[] {
  if (items.length !== count) throw invalid(`it has ${items.length} vectors for ${count} inputs`);
  const ordered = new Array<Vector | undefined>(count).fill(undefined);
  for (const { index, vector } of items) {
    if (!Number.isInteger(index) || index < 0 || index >= count)
      throw invalid(`the index ${index} is out of range`);
    if (ordered[index] !== undefined) throw invalid(`the index ${index} occurs twice`);
    ordered[index] = vector;
  }
  return ordered;
}

function verify(
  given: Vector | undefined,
  index: number,
  { width, dimensions, model, normalizes }: Omit<ExpectedVectors, "count"> & { readonly width: number },
): Vector {
  if (given === undefined || given.width === 0) throw invalid(`the vector ${index} is empty`);
  const vector = fitDimensions(given, dimensions, model);
  if (vector.width !== width)
    throw invalid(`the vector ${index} has ${vector.width} values instead of ${width}`);
  if (!vector.isFinite) throw invalid(`the vector ${index} has a value that is not a finite number`);
  return normalizes ? toUnitVector(vector) : vector;
}

/** Integers are neither shortened nor normalised: only the provider knows the scale of each dimension. */
function verifyIntegers(
  given: Vector | undefined,
  index: number,
  { width, outputDtype }: { readonly width: number; readonly outputDtype: CalibratedDtype },
): Vector {
  if (given === undefined || given.width === 0) throw invalid(`the vector ${index} is empty`);
  if (given.width !== width)
    throw invalid(`the vector ${index} has ${given.width} values instead of ${width}`);
  const { min, max } = calibratedRanges[outputDtype];
  const integers = given.toFloats();
  for (const value of integers)
    if (!Number.isInteger(value) || value < min || value > max)
      throw invalid(`the vector ${index} has a value that is not of the type ${outputDtype}`);
  // Without the text of the reply, which may be `1.0`.
  return Vector.fromFloats(integers);
}

function invalid(reason: string): GatewayError {
  return errorOf("upstream_invalid_reply", { reason });
}
