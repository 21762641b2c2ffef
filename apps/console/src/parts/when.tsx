import { formatAgo, formatTime } from "./format.js";

/** A time in Unix seconds: how long ago, and on the pointer the exact one. */
export function When({
  at,
  never = "never",
}: {
  readonly at: number | null | undefined;
  readonly never?: string;
}) {
  if (at === null || at === undefined) return <span className="quiet">{never}</span>;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
      {formatAgo(at, Date.now())}
    </time>
  );
}
