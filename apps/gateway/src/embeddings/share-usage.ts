/**
 * Divides what an upstream counted for a whole call among its inputs, in proportion to their weight. The shares are
 * whole numbers and add up to the total, so that no caller pays for rounding and no token is lost.
 */
export function shareUsage(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((left, right) => left + right, 0) || 1;
  let given = 0;
  let passed = 0;
  return weights.map((weight) => {
    passed += weight;
    const share = Math.round((total * passed) / sum) - given;
    given += share;
    return share;
  });
}
