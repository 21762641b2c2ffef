/** The vector of length 1 in the same direction. */
export function normalise(vector: Float32Array): Float32Array<ArrayBuffer> {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0) throw new Error("The model gave no usable vector.");
  return Float32Array.from(vector, (value) => value / length);
}
