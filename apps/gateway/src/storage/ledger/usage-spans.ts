export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** From is included, to is not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Which part of a time is counted from which table. */
export interface UsageSpans {
  readonly rows: readonly Span[];
  readonly hours: readonly Span[];
  readonly days: readonly Span[];
}

/**
 * Divides a time so that as little as possible is read: whole days from the sums of days, the whole hours before and
 * after them from those of hours, and what is left of an hour at either end from the rows themselves.
 */
export function usageSpans(
  { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER }: Partial<Span>,
  finest: "hour" | "day",
): UsageSpans {
  const whole = inner({ from, to }, hourMs);
  if (whole === undefined) return { rows: [{ from, to }].filter(isSome), hours: [], days: [] };
  const rows = around(whole, { from, to });
  const days = finest === "day" ? inner(whole, dayMs) : undefined;
  if (days === undefined) return { rows, hours: [whole], days: [] };
  return { rows, hours: around(days, whole), days: [days] };
}

/** The longest span within that begins and ends with a step. What is open at an end stays so. */
function inner({ from, to }: Span, stepMs: number): Span | undefined {
  const within = {
    from: from === Number.MIN_SAFE_INTEGER ? from : Math.ceil(from / stepMs) * stepMs,
    to: to === Number.MAX_SAFE_INTEGER ? to : Math.floor(to / stepMs) * stepMs,
  };
  return isSome(within) ? within : undefined;
}

function around(middle: Span, whole: Span): Span[] {
  return [
    { from: whole.from, to: middle.from },
    { from: middle.to, to: whole.to },
  ].filter(isSome);
}

function isSome({ from, to }: Span): boolean {
  return from < to;
}
