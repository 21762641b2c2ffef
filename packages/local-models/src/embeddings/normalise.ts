/** The vector of length 1 in the same direction. */
export function normalise(vector: Float32Array): Float32Array<ArrayBuffer> {
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw new Error("The model gave no usable vector.");
  const unit = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at += 1) unit[at] = (vector[at] ?? 0) / length;
  return unit;
}
