/** How often a list or a sheet with work that runs is loaded again. A hidden tab loads nothing. */
const refreshMs = 3000;
const slowRefreshMs = 30_000;
/** About five minutes. Who still looks then has left the page open. */
const quickRefreshes = 100;
/** Each refresh loads all pages that are shown. */
const refreshedPagesMax = 2;

/** Requests are recorded within this time after their end, and so is their cost. */
const settlingSeconds = 20;

/** Whether the costs of work that has ended may still change. @param endedAt Unix seconds. */
export function isSettling(endedAt: number | null, nowMs = Date.now()): boolean {
  return endedAt !== null && endedAt + settlingSeconds > nowMs / 1000;
}

/** The state of a query that decides on its refresh. */
export interface Refreshed {
  /** Whether something that is shown has not ended. */
  readonly isRunning: boolean;
  /** How often it was loaded. */
  readonly loads: number;
  readonly pages: number;
}

/** Milliseconds until the next load; `false` for none. */
export function refreshAfter({ isRunning, loads, pages }: Refreshed): number | false {
  if (!isRunning || pages > refreshedPagesMax) return false;
  return loads > quickRefreshes ? slowRefreshMs : refreshMs;
}
