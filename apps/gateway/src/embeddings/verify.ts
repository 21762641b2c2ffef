import type { EmbeddingReply } from "../domain/requests.js";
import type { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import { TimeSlice } from "../runtime/time-slice.js";

/** What the answer must be: this many vectors, of this width where it is known. */
export interface Expected {
  readonly count: number;
  readonly width: number | undefined;
  /** Shortens what came wider than was asked for. */
  readonly fit?: (vector: Vector) => Vector;
}

/** So many are verified in one go; more of them with rests in between. */
const atOnceMax = 16;

/** Puts the vectors in the order of the inputs. Anything but one good vector for each is the upstream's failure. */
export function verifyEmbeddings(
  answer: EmbeddingReply,
  expected: Expected,
): readonly Vector[] | Promise<readonly Vector[]> {
  const ordered = inOrder(answer, expected.count);
  const width = expected.width ?? ordered[0]?.width ?? 0;
  if (ordered.length > atOnceMax) return verifyInSlices(ordered, width, expected);
  return ordered.map((given, index) => verify(given, index, width, expected));
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

async function verifyInSlices(
  ordered: readonly (Vector | undefined)[],
  width: number,
  expected: Expected,
): Promise<readonly Vector[]> {
  const pacer = new TimeSlice();
  const verified: Vector[] = [];
  for (let index = 0; index < ordered.length; index += 1) {
    verified.push(verify(ordered[index], index, width, expected));
    if (pacer.isOver) await pacer.yield();
  }
  return verified;
}

function verify(given: Vector | undefined, index: number, width: number, { fit }: Expected): Vector {
  if (given === undefined || given.width === 0) throw invalid(`the vector ${index} is empty`);
  const vector = fit?.(given) ?? given;
  if (vector.width !== width)
    throw invalid(`the vector ${index} has ${vector.width} values where ${width} are due`);
  if (!vector.isFinite) throw invalid(`the vector ${index} has a value that is not a finite number`);
  return vector;
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's answer is not valid: ${reason}.`);
}
