import { useListAlerts } from "../../operations/listAlerts.js";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { formatCount, formatMs, formatShare, formatUsd, plural } from "../../parts/format.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { StackedBars } from "../../parts/stacked-bars.js";
import { Empty, Loaded } from "../../parts/states.js";
import { type Tile, Tiles } from "../../parts/tiles.js";
import { linkTo } from "../../routes/address.js";
import { rangeStepLabel, rangeSteps, spanRange } from "../time-range.js";
import { spans, startOf } from "../time-span.js";
import { rowsOf, seriesOf } from "../usage/group-usage.js";
import { describeAlerts } from "./alerts.js";
import { FirstSteps } from "./first-steps.js";

const everyMs = 30_000;

export default function OverviewPage() {
  const from = startOf("24h", Date.now());
  const day = useRetrieveUsage({ group_by: ["model", "hour"], from }, { everyMs });
  const dayBefore = useRetrieveUsage({ from: from - spans["24h"].seconds, to: from });
  return (
    <Page title="Overview" lead="The last 24 hours, compared with the day before.">
      <FirstSteps />
      <Loaded query={day} shape="tiles">
        {({ totals }) => <Tiles tiles={tilesOf(totals, dayBefore.data?.totals)} />}
      </Loaded>
      <Alerts />
      <Loaded query={day}>{({ data }) => <RequestsByHour groups={data} />}</Loaded>
    </Page>
  );
}

function Alerts() {
  const query = useListAlerts();
  return (
    <Panel title="Needs attention">
      <Loaded query={query}>
        {(found) => {
          const alerts = describeAlerts(found, Date.now());
          if (alerts.length === 0) return <Badge tone="good">Nothing. Every target is healthy.</Badge>;
          return (
            <ul className="alerts">
              {alerts.map(({ id, tone, text, link }) => (
                <li key={id}>
                  <Badge tone={tone}>
                    <span className="visually-hidden">{tone === "bad" ? "Broken:" : "Warning:"}</span>
                  </Badge>
                  <span>{text}</span>
                  <a href={link} aria-label={`Look: ${text}`}>
                    Look
                  </a>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function RequestsByHour({ groups }: { readonly groups: readonly Schemas["UsageGroup"][] }) {
  if (groups.length === 0)
    return (
      <Panel title="Requests per hour">
        <Empty
          action={
            <>
              <a className="button" href={linkTo("/keys")}>
                Create a key
              </a>
              <a className="button" href={linkTo("/models")}>
                Try a model
              </a>
            </>
          }
        >
          No requests yet. Create a key, or try a model.
        </Empty>
      </Panel>
    );
  const rows = rowsOf(groups, "model", "requests");
  const nowMs = Date.now();
  const range = spanRange("24h", nowMs);
  const steps = { starts: rangeSteps(range, nowMs), label: (start: number) => rangeStepLabel(range, start) };
  const { names, bars } = seriesOf(groups, rows, { by: "model", measure: "requests", steps });
  return (
    <Panel
      title="Requests per hour, UTC"
      actions={<a href={linkTo("/usage", { time: "24h" })}>In figures</a>}
    >
      <StackedBars series={names} bars={bars} label="Requests by model, per hour of the last 24" />
    </Panel>
  );
}

type Totals = Schemas["UsageTotals"];

function tilesOf(now: Totals, before: Totals | undefined): Tile[] {
  const failed = (totals: Totals) => totals.failed_requests / Math.max(1, totals.requests);
  const changeOf = (of: (totals: Totals) => number | null, write: (change: number) => string) => {
    const [current, old] = [of(now), before && before.requests > 0 ? of(before) : null];
    return current === null || old === null ? {} : { note: write(current - old) };
  };
  return [
    {
      label: "requests",
      value: formatCount(now.requests),
      ...changeOf(({ requests }) => requests, more(formatCount)),
    },
    { label: "failed", value: formatShare(failed(now)), ...changeOf(failed, more(formatShare)) },
    {
      label: "median time",
      value: now.duration_p50_ms === null ? "–" : formatMs(now.duration_p50_ms),
      ...changeOf(({ duration_p50_ms }) => duration_p50_ms, more(formatMs)),
    },
    {
      label: "cost",
      value: now.cost_usd === null ? "not known" : formatUsd(now.cost_usd),
      ...(now.unpriced_requests > 0
        ? { note: `and ${plural(now.unpriced_requests, "request")} without a price` }
        : changeOf(({ cost_usd }) => cost_usd, more(formatUsd))),
    },
    {
      label: "images",
      value: formatCount(now.images),
      ...changeOf(({ images }) => images, more(formatCount)),
    },
  ];
}

/** A change that rounds to zero counts as no change. */
function more(write: (value: number) => string): (change: number) => string {
  return (change) => {
    const size = write(Math.abs(change));
    if (Number(size.replace(/[^\d.]/g, "")) === 0) return "as the day before";
    return `${size} ${change < 0 ? "less" : "more"}`;
  };
}
