export interface Projection {
  /** A place for each vector. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Share of the variance that the two axes show, from 0 to 1. */
  readonly share: number;
}

/**
 * Places vectors in two dimensions by their principal components. They are taken from the matrix of inner products, which
 * is as wide as there are texts: a few, where a vector has hundreds of numbers.
 */
export function project(vectors: readonly Float32Array[]): Projection {
  const gram = centredGram(vectors);
  const total = gram.reduce((sum, row, at) => sum + (row[at] ?? 0), 0);
  const first = leadingComponent(gram);
  const second = leadingComponent(without(gram, first));
  const share = total > tiny ? Math.min(1, (first.value + second.value) / total) : 1;
  const scales = [Math.sqrt(first.value), Math.sqrt(second.value)] as const;
  return {
    points: vectors.map((_, at) => ({
      x: (first.vector[at] ?? 0) * scales[0],
      y: (second.vector[at] ?? 0) * scales[1],
    })),
    share,
  };
}

const tiny = 1e-12;
const roundsMax = 1000;

interface Component {
  readonly value: number;
  readonly vector: readonly number[];
}

/** Inner products of the unit vectors, after subtracting their mean. */
function centredGram(vectors: readonly Float32Array[]): number[][] {
  const units = vectors.map((vector) => {
    const length = Math.hypot(...vector) || 1;
    return Array.from(vector, (value) => value / length);
  });
  const width = units[0]?.length ?? 0;
  const mean = Array.from({ length: width }, (_, at) => {
    const sum = units.reduce((total, unit) => total + (unit[at] ?? 0), 0);
    return sum / units.length;
  });
  const centred = units.map((unit) => unit.map((value, at) => value - (mean[at] ?? 0)));
  return centred.map((one) => centred.map((other) => inner(one, other)));
}

/** Power iteration. It starts with the largest row, so that the same texts always give the same map. */
function leadingComponent(matrix: readonly (readonly number[])[]): Component {
  const start = matrix.reduce<readonly number[]>(
    (longest, row) => (inner(row, row) > inner(longest, longest) ? row : longest),
    [],
  );
  let vector = scaled(start);
  if (vector.length === 0) return { value: 0, vector: matrix.map(() => 0) };
  for (let round = 0; round < roundsMax; round++) {
    const next = scaled(matrix.map((row) => inner(row, vector)));
    const moved = Math.sqrt(next.reduce((sum, value, at) => sum + (value - (vector[at] ?? 0)) ** 2, 0));
    vector = next;
    if (moved < tiny) break;
  }
  const value = Math.max(
    0,
    inner(
      matrix.map((row) => inner(row, vector)),
      vector,
    ),
  );
  return { value, vector };
}

function without(matrix: readonly (readonly number[])[], { value, vector }: Component): number[][] {
  return matrix.map((row, at) =>
    row.map((entry, other) => entry - value * (vector[at] ?? 0) * (vector[other] ?? 0)),
  );
}

function scaled(vector: readonly number[]): number[] {
  const length = Math.sqrt(inner(vector, vector));
  return length < tiny ? vector.map(() => 0) : vector.map((value) => value / length);
}

function inner(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
