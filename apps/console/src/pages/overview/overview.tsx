import { useListAlerts } from "../../operations/listAlerts.js";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { Message } from "../../parts/message.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { StackedBars } from "../../parts/stacked-bars.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Tiles } from "../../parts/tiles.js";
import { linkTo } from "../../routes/address.js";
import { May } from "../../session/session-context.js";
import { rangeStepLabel, rangeSteps, spanRange } from "../time-range.js";
import { spans, startOf } from "../time-span.js";
import { type Measure, seriesOf, type UsageRow } from "../usage/group-usage.js";
import { describeAlerts } from "./alerts.js";
import { chartUsage } from "./failure-chart.js";
import { FirstSteps } from "./first-steps.js";
import { overviewTiles } from "./overview-tiles.js";

const everyMs = 30_000;

export default function OverviewPage() {
  const from = startOf("24h", Date.now());
  const day = useRetrieveUsage({ group_by: ["model", "hour"], from }, { everyMs });
  const dayBefore = useRetrieveUsage({ from: from - spans["24h"].seconds, to: from });
  // Operators' own trials and the gateway's checks are told apart from the requests of callers. No figure is shown before.
  const internal = useRetrieveUsage(
    { group_by: ["model", "hour"], from, internal: true },
    { everyMs, isEnabled: hasRequests(day.data) },
  );
  const internalBefore = useRetrieveUsage(
    { from: from - spans["24h"].seconds, to: from, internal: true },
    { isEnabled: hasRequests(dayBefore.data) },
  );
  const isAlone = dayBefore.data?.totals.requests === 0;
  return (
    <Page
      title="Overview"
      lead={
        isAlone
          ? "The last 24 hours. The day before had no requests to compare with."
          : "The last 24 hours, compared with the day before."
      }
    >
      <FirstSteps />
      <Loaded query={day} shape="tiles">
        {({ totals }) =>
          totals.requests === 0 ? (
            <Tiles tiles={overviewTiles({ ...totals, internal: undefined }, undefined)} />
          ) : (
            <Loaded query={internal} shape="tiles">
              {(own) => (
                <Tiles
                  tiles={overviewTiles(
                    { ...totals, internal: own.totals },
                    dayBefore.data &&
                      internalBefore.data && {
                        ...dayBefore.data.totals,
                        internal: internalBefore.data.totals,
                      },
                  )}
                />
              )}
            </Loaded>
          )
        }
      </Loaded>
      <Alerts />
      <Loaded query={hasRequests(day.data) ? internal : day}>
        {({ data: own }) => (
          <RequestsByHour groups={day.data?.data ?? []} internal={hasRequests(day.data) ? own : []} />
        )}
      </Loaded>
    </Page>
  );
}

function hasRequests(usage: Schemas["UsageList"] | undefined): boolean {
  return usage !== undefined && usage.totals.requests > 0;
}

function Alerts() {
  const query = useListAlerts();
  return (
    <Panel title="Needs attention">
      <Loaded query={query}>
        {(found) => {
          const alerts = describeAlerts(found, Date.now());
          if (alerts.length === 0) return <Badge tone="good">Nothing. No target is failing.</Badge>;
          return (
            <ul className="alerts">
              {alerts.map(({ id, tone, text, link }) => (
                <li key={id}>
                  <Badge tone={tone}>
                    <span className="visually-hidden">{tone === "bad" ? "Broken:" : "Warning:"}</span>
                  </Badge>
                  <span>
                    <Message text={text} />
                  </span>
                  <a href={link} aria-label={`View: ${text}`}>
                    View
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

interface RequestsByHourProps {
  readonly groups: readonly Schemas["UsageGroup"][];
  /** The part of them that is not from API keys. */
  readonly internal: readonly Schemas["UsageGroup"][];
}

function RequestsByHour({ groups, internal }: RequestsByHourProps) {
  if (groups.length === 0)
    return (
      <Panel title="Requests per hour">
        <Empty
          action={
            <>
              <May call="createKey">
                <a className="button" href={linkTo("/keys", { create: "key" })}>
                  Create key
                </a>
              </May>
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
  const { requests, failed, rows } = chartUsage(groups, internal);
  return (
    <>
      <Panel
        title="Requests per hour, UTC"
        actions={<a href={linkTo("/usage", { time: "24h" })}>As a table</a>}
      >
        <BarsByHour
          groups={requests}
          rows={rows}
          measure="requests"
          label="Requests by model, per hour of the last 24"
        />
      </Panel>
      {failed.length > 0 && (
        <Panel
          title="Failed per hour, UTC"
          actions={<a href={linkTo("/requests", { time: "24h", failed: "true" })}>Failed requests</a>}
        >
          <BarsByHour
            groups={failed}
            rows={rows}
            measure="failed_requests"
            label="Failed requests by model, per hour of the last 24"
          />
        </Panel>
      )}
    </>
  );
}

interface BarsByHourProps {
  readonly groups: readonly Schemas["UsageGroup"][];
  readonly rows: readonly UsageRow[];
  readonly measure: Measure;
  readonly label: string;
}

function BarsByHour({ groups, rows, measure, label }: BarsByHourProps) {
  const nowMs = Date.now();
  const range = spanRange("24h", nowMs);
  const steps = { starts: rangeSteps(range, nowMs), label: (start: number) => rangeStepLabel(range, start) };
  const { names, bars } = seriesOf(groups, rows, { by: "model", measure, steps });
  return <StackedBars series={names} bars={bars} label={label} />;
}
