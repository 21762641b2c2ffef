/** The mean of the token vectors that lie one after the other in `values`. */
export function meanOfTokens(values: Float32Array, tokenCount: number): Float32Array {
  const dimensions = values.length / tokenCount;
  const sums = new Float64Array(dimensions);
  for (let index = 0; index < values.length; index += 1) {
    const dimension = index % dimensions;
    sums[dimension] = (sums[dimension] ?? 0) + (values[index] ?? 0);
  }
  return Float32Array.from(sums, (sum) => sum / tokenCount);
}
