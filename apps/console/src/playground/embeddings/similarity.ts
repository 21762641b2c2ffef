/** Cosine of two vectors of equal width: 1 for the same direction, 0 for orthogonal ones. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let product = 0;
  let oneSquare = 0;
  let otherSquare = 0;
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0];
    product += a * b;
    oneSquare += a * a;
    otherSquare += b * b;
  }
  const length = Math.sqrt(oneSquare * otherSquare);
  return length === 0 ? 0 : product / length;
}

/** The cosine of every vector with every other. */
export function similarity(vectors: readonly Float32Array[]): number[][] {
  const matrix = vectors.map(() => new Array<number>(vectors.length).fill(1));
  for (const [row, one] of vectors.entries()) {
    for (let column = 0; column < row; column++) {
      const value = cosine(one, vectors[column] ?? one);
      (matrix[row] ?? [])[column] = value;
      (matrix[column] ?? [])[row] = value;
    }
  }
  return matrix;
}
