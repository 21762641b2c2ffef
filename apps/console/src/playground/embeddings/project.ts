import { cosineAt, type Similarity } from "./similarity.js";

export interface Projection {
  /** A place for each vector. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Share of the variance that the two axes show, from 0 to 1. */
  readonly share: number;
}

/**
 * Places vectors of the length 1 in two dimensions by their principal components. The matrix of their cosines is enough
 * for that: it is as wide as there are texts, where a vector may have thousands of numbers.
 */
export function* projectSteps(similarity: Similarity): Generator<void, Projection> {
  const gram = centred(similarity);
  const { size } = similarity;
  let total = 0;
  for (let at = 0; at < size; at++) total += gram[at * size + at] ?? 0;
  const first = yield* leadingComponent(gram, size);
  subtract(gram, first);
  const second = yield* leadingComponent(gram, size);
  const share = total > tiny ? Math.min(1, (first.value + second.value) / total) : 1;
  const [across, up] = [Math.sqrt(first.value), Math.sqrt(second.value)];
  return {
    points: Array.from(first.vector, (value, at) => ({
      x: value * across,
      y: (second.vector[at] ?? 0) * up,
    })),
    share,
  };
}

const tiny = 1e-12;
/** Two axes that are nearly as long converge slowly. Then any two axes between them show as much. */
const roundsMax = 400;
const convergedAt = 1e-9;

interface Component {
  readonly value: number;
  readonly vector: Float64Array;
}

/** The inner products after the mean of all vectors is subtracted from each. */
function centred(similarity: Similarity): Float64Array {
  const { size, cosines } = similarity;
  const means = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++) sum += cosineAt(similarity, row, column);
    means[row] = sum / size;
  }
  const mean = means.reduce((sum, value) => sum + value, 0) / Math.max(1, size);
  return cosines.map(
    (value, at) => value - (means[Math.floor(at / size)] ?? 0) - (means[at % size] ?? 0) + mean,
  );
}

/** Power iteration. It starts with the largest row, so that the same texts always give the same map. */
function* leadingComponent(matrix: Float64Array, size: number): Generator<void, Component> {
  let vector = scaled(largestRow(matrix, size));
  let product = multiply(matrix, vector);
  for (let round = 0; round < roundsMax; round++) {
    const next = scaled(product);
    const moved = Math.sqrt(next.reduce((sum, value, at) => sum + (value - (vector[at] ?? 0)) ** 2, 0));
    vector = next;
    product = multiply(matrix, vector);
    yield;
    if (moved < convergedAt) break;
  }
  return { value: Math.max(0, inner(product, vector)), vector };
}

function largestRow(matrix: Float64Array, size: number): Float64Array {
  let largest: Float64Array = new Float64Array(size);
  let longest = 0;
  for (let row = 0; row < size; row++) {
    const one = matrix.subarray(row * size, (row + 1) * size);
    const length = inner(one, one);
    if (length <= longest) continue;
    longest = length;
    largest = one;
  }
  return largest;
}

/** Removes what a component explains. */
function subtract(matrix: Float64Array, { value, vector }: Component): void {
  const size = vector.length;
  for (let at = 0; at < matrix.length; at++)
    matrix[at] = (matrix[at] ?? 0) - value * (vector[Math.floor(at / size)] ?? 0) * (vector[at % size] ?? 0);
}

function multiply(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  return vector.map((_, row) => {
    let sum = 0;
    for (let column = 0; column < size; column++)
      sum += (matrix[row * size + column] ?? 0) * (vector[column] ?? 0);
    return sum;
  });
}

function scaled(vector: Float64Array): Float64Array {
  const length = Math.sqrt(inner(vector, vector));
  return vector.map((value) => (length < tiny ? 0 : value / length));
}

function inner(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
