import { Pacer } from "../domain/pacer.js";
import type { EmbeddingAnswer } from "../domain/requests.js";
import type { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";

/** What the answer must be: this many vectors, of this width where it is known. */
export interface Expected {
  readonly count: number;
  readonly width: number | undefined;
  /** Shortens what came wider than was asked for. */
  readonly fit?: (vector: Vector) => Vector;
}

/** Puts the vectors in the order of the inputs. Anything but one good vector for each is the upstream's failure. */
export async function verifyEmbeddings(
  answer: EmbeddingAnswer,
  expected: Expected,
): Promise<readonly Vector[]> {
  if (answer.items.length !== expected.count) {
    throw invalid(`it has ${answer.items.length} vectors for ${expected.count} inputs`);
  }
  const ordered = new Array<Vector | undefined>(expected.count).fill(undefined);
  for (const { index, vector } of answer.items) {
    if (!Number.isInteger(index) || index < 0 || index >= expected.count)
      throw invalid(`the index ${index} is out of range`);
    if (ordered[index] !== undefined) throw invalid(`the index ${index} occurs twice`);
    ordered[index] = vector;
  }
  const width = expected.width ?? ordered[0]?.width ?? 0;
  const pacer = new Pacer();
  const verified: Vector[] = [];
  for (const [index, given] of ordered.entries()) {
    if (given === undefined || given.width === 0) throw invalid(`the vector ${index} is empty`);
    const vector = expected.fit?.(given) ?? given;
    if (vector.width !== width)
      throw invalid(`the vector ${index} has ${vector.width} values where ${width} are due`);
    if (!vector.isFinite) throw invalid(`the vector ${index} has a value that is not a finite number`);
    verified.push(vector);
    if (pacer.isDue) await pacer.rest();
  }
  return verified;
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's answer is not valid: ${reason}.`);
}
