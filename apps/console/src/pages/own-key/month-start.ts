/** The start of the month in UTC, in Unix seconds, as budgets and `spent_usd` count. */
export function monthStart(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) / 1000;
}

/** The start of each day of that month up to now. */
export function daysOf(nowMs: number): number[] {
  const start = monthStart(nowMs);
  const days = Math.floor((nowMs / 1000 - start) / 86_400) + 1;
  return Array.from({ length: days }, (_, index) => start + index * 86_400);
}
