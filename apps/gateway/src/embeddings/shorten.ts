/** The first values of a Matryoshka vector, made a unit vector again. https://arxiv.org/abs/2205.13147 */
export function shorten(vector: Float32Array, width: number): Float32Array {
  const head = vector.slice(0, width);
  let squares = 0;
  for (const value of head) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0) return head;
  return head.map((value) => value / length);
}
