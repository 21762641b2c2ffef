interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs?: number;
  /** From 0 to 1. With it, the pause is any up to that length: callers that failed together do not come back together. */
  readonly random?: () => number;
}

/** The pause before the next attempt. It doubles with each failure after the first. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs = Number.POSITIVE_INFINITY, random = () => 1 }: BackoffOptions,
): number {
  return random() * Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
