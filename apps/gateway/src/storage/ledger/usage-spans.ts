export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** `from` is inclusive, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Which part of a time range is read from which table. */
interface UsageSpans {
  readonly rows: readonly Span[];
  readonly hours: readonly Span[];
  readonly days: readonly Span[];
}

/**
 * Splits a time range so that few rows are read: whole days from the daily rollups, whole hours around them from the
 * hourly rollups, and the partial hours at both ends from the ledger rows.
 */
export function usageSpans(
  { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER }: Partial<Span>,
  finest: "hour" | "day",
): UsageSpans {
  const whole = inner({ from, to }, hourMs);
  if (whole === undefined) return { rows: [{ from, to }].filter(isNonEmpty), hours: [], days: [] };
  const rows = around(whole, { from, to });
  const days = finest === "day" ? inner(whole, dayMs) : undefined;
  if (days === undefined) return { rows, hours: [whole], days: [] };
  return { rows, hours: around(days, whole), days: [days] };
}

/** The longest span inside that begins and ends on a multiple of the step. Open ends stay open. */
function inner({ from, to }: Span, stepMs: number): Span | undefined {
  const within = {
    from: from === Number.MIN_SAFE_INTEGER ? from : Math.ceil(from / stepMs) * stepMs,
    to: to === Number.MAX_SAFE_INTEGER ? to : Math.floor(to / stepMs) * stepMs,
  };
  return isNonEmpty(within) ? within : undefined;
}

function around(middle: Span, whole: Span): Span[] {
  return [
    { from: whole.from, to: middle.from },
    { from: middle.to, to: whole.to },
  ].filter(isNonEmpty);
}

function isNonEmpty({ from, to }: Span): boolean {
  return from < to;
}
