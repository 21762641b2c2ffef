/** A histogram without labels: observations per bucket, their count and their sum. */
export interface Tally {
  /** Those above the last bound are only in `count`. */
  readonly counts: number[];
  count: number;
  sum: number;
}

export function createTally(bounds: readonly number[]): Tally {
  return { counts: bounds.map(() => 0), count: 0, sum: 0 };
}

export function observe(tally: Tally, bounds: readonly number[], value: number): void {
  tally.count += 1;
  tally.sum += value;
  for (let index = 0; index < bounds.length; index += 1) {
    if (value > (bounds[index] ?? 0)) continue;
    tally.counts[index] = (tally.counts[index] ?? 0) + 1;
    return;
  }
}

export function sumOfTallies(tallies: readonly Tally[]): Tally {
  const [first] = tallies;
  const total = (of: (tally: Tally) => number | undefined) =>
    tallies.reduce((sum, tally) => sum + (of(tally) ?? 0), 0);
  return {
    counts: (first?.counts ?? []).map((_, index) => total(({ counts }) => counts[index])),
    count: total(({ count }) => count),
    sum: total(({ sum }) => sum),
  };
}
