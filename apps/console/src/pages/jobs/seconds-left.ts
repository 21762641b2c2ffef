import type { ShownBatch } from "../../operations/retrieveBatch.js";

/** Fewer lines say little about the speed. */
const linesMin = 5;

/**
 * The seconds until the last line of a running batch ends, at the speed so far.
 *
 * @param now In Unix seconds.
 * @returns Undefined if the batch does not run, or if too few lines have ended.
 */
export function secondsLeft(
  {
    status,
    in_progress_at,
    request_counts,
  }: Pick<ShownBatch, "status" | "in_progress_at" | "request_counts">,
  now: number,
): number | undefined {
  const { total, completed, failed } = request_counts;
  const ended = completed + failed;
  if (status !== "in_progress" || in_progress_at === null || ended < linesMin) return undefined;
  return (Math.max(1, now - in_progress_at) / ended) * (total - ended);
}
