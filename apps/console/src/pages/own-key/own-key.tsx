import { type ShownModel, useListModels } from "../../operations/listModels.js";
import { useRetrieveOwnKey } from "../../operations/retrieveOwnKey.js";
import { useRetrieveOwnUsage } from "../../operations/retrieveOwnUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatAgo, formatCount, formatShare, formatTime, formatUsd, plural } from "../../parts/format.js";
import { Meter } from "../../parts/meter.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { type Tile, Tiles } from "../../parts/tiles.js";
import { linkTo } from "../../routes/address.js";
import { useSignedIn } from "../../session/session-context.js";
import { type LimitName, limitLabels, limitNames } from "../keys/key-draft.js";
import { thisMonth } from "../time-range.js";
import { OwnRequests } from "./own-requests.js";
import { OwnUsage } from "./own-usage.js";

/** A caller's own page: spending, limits, usage and requests of the key that is signed in. */
export default function OwnKeyPage() {
  const { name } = useSignedIn().session;
  const key = useRetrieveOwnKey();
  const models = useListModels();
  const month = thisMonth(Date.now());
  const usage = useRetrieveOwnUsage({ group_by: ["model", "day"], from: month.from });
  return (
    <Page title="Your key" lead={`The key ${name}: what it may do, what it has spent, and its requests.`}>
      <Loaded query={key} shape="tiles">
        {(own) => (
          <>
            <Tiles tiles={tilesOf(own, usage.data?.totals)} />
            <Panel title="Limits">
              <div className="stack">
                <Facts facts={factsOf(own, models.data)} />
                <Limits own={own} />
              </div>
            </Panel>
          </>
        )}
      </Loaded>
      <Panel title="Usage this month, UTC">
        <Loaded query={usage}>{({ data }) => <OwnUsage groups={data} month={month} />}</Loaded>
      </Panel>
      <OwnRequests />
    </Page>
  );
}

function tilesOf(own: Schemas["OwnKey"], totals: Schemas["UsageTotals"] | undefined): Tile[] {
  const { spent_usd, unpriced_requests, budget, budget_usage } = own;
  return [
    {
      label: "spent this month",
      value: formatUsd(spent_usd),
      ...(unpriced_requests > 0 && {
        note: `and ${plural(unpriced_requests, "request")} without a price`,
      }),
    },
    budget === null || budget_usage === null
      ? { label: "budget left", value: "no budget" }
      : {
          label: "budget left",
          value: formatUsd(budget_usage.remaining_usd),
          note: (
            <>
              of {formatUsd(budget.usd)} a {budget.per}, new {formatAgo(budget_usage.resets_at, Date.now())}
              <Meter
                share={budget_usage.spent_usd / budget.usd}
                label={`${formatUsd(budget_usage.spent_usd)} of ${formatUsd(budget.usd)} spent`}
              />
            </>
          ),
        },
    { label: "requests this month", value: totals === undefined ? "–" : formatCount(totals.requests) },
    {
      label: "failed",
      value: totals === undefined ? "–" : formatShare(totals.failed_requests / Math.max(1, totals.requests)),
    },
  ];
}

function factsOf(
  { models, priority, expires_at }: Schemas["OwnKey"],
  usable: readonly ShownModel[] | undefined,
): readonly Fact[] {
  return [
    ["Models", usable === undefined ? (models?.join(", ") ?? "all") : <ModelLinks models={usable} />],
    ["Priority", priority],
    ["Expires", expires_at === null ? "never" : formatTime(expires_at)],
  ];
}

/** More than this are on the page of models. */
const linksMax = 12;

function ModelLinks({ models }: { readonly models: readonly ShownModel[] }) {
  if (models.length === 0) return "none yet";
  return (
    <>
      {models.slice(0, linksMax).map(({ id }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <a href={linkTo("/models", { model: id })}>{id}</a>
        </span>
      ))}
      {models.length > linksMax && (
        <>
          , <a href={linkTo("/models")}>and {formatCount(models.length - linksMax)} more</a>
        </>
      )}
    </>
  );
}

interface LimitRow {
  readonly name: LimitName;
  readonly limit: number;
  /** Null where it is not counted. */
  readonly left: number | null;
}

function Limits({ own: { limits, limits_remaining } }: { readonly own: Schemas["OwnKey"] }) {
  const remaining: Readonly<Partial<Record<LimitName, number | null>>> = limits_remaining;
  const rows = limitNames.flatMap((name): LimitRow[] => {
    const limit = limits[name];
    return limit === null ? [] : [{ name, limit, left: remaining[name] ?? null }];
  });
  if (rows.length === 0) return <p className="quiet">This key has no rate limits.</p>;
  return (
    <Table
      caption="Limits of this key"
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { head: "Limit", cell: ({ name }) => limitLabels[name] },
        { head: "Allowed", cell: ({ limit }) => formatCount(limit), kind: "number" },
        { head: "Left", cell: ({ left }) => (left === null ? "–" : formatCount(left)), kind: "number" },
      ]}
    />
  );
}
