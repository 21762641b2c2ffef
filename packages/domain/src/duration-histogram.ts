/**
 * Request counts by duration bucket. There are ten buckets for each factor of ten from 1 ms to 1,000 s, one for shorter
 * and one for longer requests.
 */
export type DurationHistogram = readonly number[];

const bucketsPerDecade = 10;
const decades = 6;
const lastBucket = bucketsPerDecade * decades + 1;
export const durationBuckets = lastBucket + 1;
export const noDurations: DurationHistogram = Object.freeze(Array<number>(durationBuckets).fill(0));

/** The highest duration of a bucket, in milliseconds. */
function upperMs(bucket: number): number {
  return 10 ** (bucket / bucketsPerDecade);
}

export function bucketOf(ms: number): number {
  if (ms <= 1) return 0;
  return ms > upperMs(lastBucket - 1) ? lastBucket : Math.ceil(bucketsPerDecade * Math.log10(ms));
}

export function addHistograms(histograms: readonly DurationHistogram[]): DurationHistogram {
  const sums = [...noDurations];
  for (const histogram of histograms)
    for (const [bucket, requests] of histogram.entries()) sums[bucket] = (sums[bucket] ?? 0) + requests;
  return sums;
}

/**
 * The duration that a share of the requests did not exceed. The bucket is exact, and the place within it is estimated.
 * Null without requests.
 *
 * @param share From 0 to 1.
 */
export function percentileMs(histogram: DurationHistogram, share: number): number | null {
  const requests = histogram.reduce((sum, count) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * requests));
  let before = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && before + count >= rank) return placeWithin(bucket, (rank - 0.5 - before) / count);
    before += count;
  }
  return null;
}

/** As if the requests of a bucket were spread evenly over it, on a logarithmic scale. */
function placeWithin(bucket: number, share: number): number {
  if (bucket === lastBucket) return upperMs(lastBucket - 1);
  const ms = bucket === 0 ? share : upperMs(bucket - 1 + share);
  return Number(ms.toPrecision(4));
}
