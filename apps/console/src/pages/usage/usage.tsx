import { useRetrieveKey } from "../../operations/retrieveKey.js";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { useTableFile } from "../../operations/use-table-file.js";
import { type Option, SelectField } from "../../parts/fields.js";
import { Filters } from "../../parts/filters.js";
import { formatCount, formatMs, formatShare, formatUsd, plural } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { type Tile, Tiles } from "../../parts/tiles.js";
import { type Address, changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { RangeFields } from "../range-fields.js";
import { describeRange } from "../time-range.js";
import { groupings, measures, rowsOf } from "./group-usage.js";
import { OwnerBudget, useBudgetKeys } from "./owner-budget.js";
import { UsagePlot } from "./usage-plot.js";
import { UsageTable } from "./usage-table.js";
import { filterNames, questionOf, readView, requestsLink, type UsageView, viewLink } from "./usage-view.js";
import { ValueFilter } from "./value-filter.js";

export default function UsagePage() {
  const address = useAddress();
  const view = readView(address.query, Date.now());
  const { range, by } = view;
  const question = questionOf(view);
  const usage = useRetrieveUsage(question);
  const keys = useBudgetKeys(view);
  const csv = useTableFile(`usage-${range.name}-by-${by}`, (client) => client.retrieveUsageTable(question));
  return (
    <Page
      title="Usage"
      lead={<Scope view={view} />}
      actions={
        <button type="button" className="button" disabled={csv.isPending} onClick={() => csv.mutate()}>
          <Icon name="download" size={16} />
          CSV
        </button>
      }
    >
      <ViewFields address={address} view={view} />
      {csv.error !== null && <Fault error={csv.error} />}
      <Loaded query={usage} shape="tiles">
        {({ data, totals }) => {
          if (data.length === 0) return <NoUsage view={view} />;
          const rows = rowsOf(data, by, view.measure);
          return (
            <>
              <Tiles tiles={tilesOf(view, totals)} />
              {keys !== undefined && <OwnerBudget keys={keys} />}
              <Panel title={`By ${groupings[by].toLowerCase()}`}>
                <UsageTable view={view} rows={rows} totals={totals} keys={keys} />
              </Panel>
              <UsagePlot view={view} rows={rows} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The time and the filters as a sentence. */
function Scope({ view: { range, filters } }: { readonly view: UsageView }) {
  const { key } = filters;
  const named = useRetrieveKey(key);
  const words = filterNames.flatMap((name) => {
    const value = name === "key" ? (named.data?.name ?? key) : filters[name];
    return value === undefined ? [] : [`${name} ${value}`];
  });
  return <>{[`${describeRange(range)}, UTC`, ...words].join(" · ")}</>;
}

function ViewFields({ address, view }: { readonly address: Address; readonly view: UsageView }) {
  const { range, by, measure, filters } = view;
  return (
    <div className="usage-filters">
      <Filters
        count={Object.keys(filters).length}
        first={
          <>
            <RangeFields address={address} otherwise={range.name} />
            <SelectField
              label="Group by"
              value={by}
              options={optionsOf(groupings)}
              onChange={(value) => changeQuery(address, { by: value })}
            />
          </>
        }
      >
        <SelectField
          label="Measure"
          value={measure}
          options={optionsOf(measures)}
          onChange={(value) => changeQuery(address, { measure: value })}
        />
        {filterNames.map((name) => (
          <ValueFilter
            key={name}
            name={name}
            range={range}
            value={filters[name] ?? ""}
            onChange={(value) => changeQuery(address, { [name]: value })}
          />
        ))}
        {Object.keys(filters).length > 0 && (
          <a className="button" href={viewLink({ ...view, filters: {} })}>
            Clear filters
          </a>
        )}
      </Filters>
    </div>
  );
}

function NoUsage({ view }: { readonly view: UsageView }) {
  const isFiltered = Object.keys(view.filters).length > 0;
  return (
    <Empty
      action={
        isFiltered ? (
          <a className="button" href={viewLink({ ...view, filters: {} })}>
            Clear filters
          </a>
        ) : (
          <a className="button" href={linkTo("/models")}>
            Try a model
          </a>
        )
      }
    >
      {isFiltered ? "No matching requests in this time." : "No requests in this time."}
    </Empty>
  );
}

function tilesOf(view: UsageView, totals: Schemas["UsageTotals"]): Tile[] {
  const { requests, failed_requests, input_tokens, images, cost_usd, unpriced_requests } = totals;
  const { cached_inputs, saved_usd } = totals;
  return [
    {
      label: "cost",
      value: cost_usd === null ? "not known" : formatUsd(cost_usd),
      ...(unpriced_requests === 0
        ? {}
        : { note: `and ${plural(unpriced_requests, "request")} without a price` }),
    },
    { label: "requests", value: formatCount(requests), link: requestsLink(view) },
    {
      label: "failed",
      value: formatShare(failed_requests / Math.max(1, requests)),
      link: requestsLink(view, { failed: "true" }),
    },
    {
      label: "median time",
      value: totals.duration_p50_ms === null ? "–" : formatMs(totals.duration_p50_ms),
      ...(totals.duration_p95_ms === null ? {} : { note: `p95 ${formatMs(totals.duration_p95_ms)}` }),
    },
    { label: "tokens in", value: shortCount(input_tokens) },
    { label: "images", value: shortCount(images) },
    ...(cached_inputs === 0
      ? []
      : [
          {
            label: "saved by the cache",
            value: saved_usd === null ? "not known" : formatUsd(saved_usd),
            note: plural(cached_inputs, "input"),
          },
        ]),
  ];
}

/** A tile has room for ten characters. The table has the exact figure. */
function shortCount(value: number): string {
  return value < 10_000_000 ? formatCount(value) : compact.format(value);
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });

function optionsOf(names: Readonly<Record<string, string>>): Option[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
