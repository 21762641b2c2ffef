/** The mean of the token vectors that lie one after the other in `values`. */
export function meanOfTokens(values: Float32Array, tokenCount: number): Float32Array<ArrayBuffer> {
  const dimensions = values.length / tokenCount;
  const mean = new Float32Array(dimensions);
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    let sum = 0;
    for (let at = dimension; at < values.length; at += dimensions) sum += values[at] ?? 0;
    mean[dimension] = sum / tokenCount;
  }
  return mean;
}
