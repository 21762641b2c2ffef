import type { Schemas } from "../../operations/schemas.js";
import { formatCount, formatMs, formatShare, formatUsd, plural } from "../../parts/format.js";
import type { Tile } from "../../parts/tiles.js";
import { linkTo } from "../../routes/address.js";

/** The sums of a day, and those of requests that no API key sent: trials of the console, and the gateway's checks. */
type Totals = Schemas["UsageTotals"] & {
  /** Undefined while they load. */
  readonly internal: Pick<Schemas["UsageTotals"], "requests" | "failed_requests"> | undefined;
};

const time = "24h";

/** The figures of the last 24 hours, with the change against the day before. Each leads to what it counts. */
export function overviewTiles(now: Totals, before: Totals | undefined): Tile[] {
  const changeOf = (of: (totals: Totals) => number | null, write: (size: number) => string) => {
    const [current, old] = [of(now), before && before.requests > 0 ? of(before) : null];
    return current === null || old === null ? [] : [describeChange(current - old, write)];
  };
  const slowest = now.duration_p95_ms === null ? undefined : String(Math.floor(now.duration_p95_ms));
  const unpriced =
    now.unpriced_requests === 0 ? [] : [`and ${plural(now.unpriced_requests, "request")} without a price`];
  return [
    {
      label: "requests",
      value: formatCount(callerRequests(now)),
      ...noteOf([...changeOf(callerRequests, formatCount), ...besides(now.internal?.requests)]),
      link: linkTo("/requests", { time, internal: "false" }),
    },
    {
      label: "failed",
      value: formatShare(failedShare(now)),
      ...noteOf([
        ...(callerFailures(now) === 0 ? [] : [plural(callerFailures(now), "request")]),
        ...changeOf(failedShare, formatPoints),
        ...besides(now.internal?.failed_requests),
      ]),
      link: linkTo("/requests", { time, failed: "true", internal: "false" }),
    },
    {
      label: "median time",
      value: formatTime(now.duration_p50_ms),
      ...noteOf(changeOf(({ duration_p50_ms }) => duration_p50_ms, formatMs)),
      link: linkTo("/requests", { time }),
    },
    {
      label: "p95",
      value: formatTime(now.duration_p95_ms),
      ...noteOf(changeOf(({ duration_p95_ms }) => duration_p95_ms, formatMs)),
      // The others: the slowest requests.
      link: linkTo("/requests", { time, min_duration_ms: slowest }),
    },
    {
      label: "cost",
      value: now.cost_usd === null ? "not known" : formatUsd(now.cost_usd),
      ...noteOf([...unpriced, ...changeOf(({ cost_usd }) => cost_usd, formatUsd)]),
      link: linkTo("/usage", { time, by: "owner", measure: "cost_usd" }),
    },
    {
      label: "images",
      value: formatCount(now.images),
      ...noteOf(changeOf(({ images }) => images, formatCount)),
      link: linkTo("/usage", { time, measure: "images" }),
    },
  ];
}

function besides(count = 0): string[] {
  return count === 0 ? [] : [`and ${formatCount(count)} by the console and the gateway's checks`];
}

function callerRequests({ requests, internal }: Totals): number {
  return Math.max(0, requests - (internal?.requests ?? 0));
}

function callerFailures({ failed_requests, internal }: Totals): number {
  return Math.max(0, failed_requests - (internal?.failed_requests ?? 0));
}

function failedShare(totals: Totals): number {
  return callerFailures(totals) / Math.max(1, callerRequests(totals));
}

/** A difference of two shares. "0.4 % more" could also be of the share. */
function formatPoints(difference: number): string {
  return formatShare(difference).replace("%", "points");
}

function formatTime(ms: number | null): string {
  return ms === null ? "–" : formatMs(ms);
}

function noteOf(parts: readonly string[]): Pick<Tile, "note"> {
  return parts.length === 0 ? {} : { note: parts.join(", ") };
}

/** A change that rounds to zero counts as no change. */
function describeChange(change: number, write: (size: number) => string): string {
  const size = write(Math.abs(change));
  if (Number(size.replace(/[^\d.]/g, "")) === 0) return "as the day before";
  return `${size} ${change < 0 ? "less" : "more"}`;
}
