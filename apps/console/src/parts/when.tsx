import { formatAgo, formatTime } from "./format.js";
import { chosenZone, writeClock } from "./time-zone.js";

interface WhenProps {
  /** Unix seconds. */
  readonly at: number | null | undefined;
  readonly never?: string;
}

/** How long ago it was, and on the pointer the exact time. */
export function When({ at, never = "never" }: WhenProps) {
  if (at === null || at === undefined) return <span className="quiet">{never}</span>;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
      {formatAgo(at, Date.now())}
    </time>
  );
}

/** The clock time, and on the pointer how long ago it was. The zone stands above the column. */
export function ClockTime({ at }: { readonly at: number }) {
  const nowMs = Date.now();
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={`${formatTime(at)}, ${formatAgo(at, nowMs)}`}>
      {writeClock(at, nowMs, chosenZone())}
    </time>
  );
}
