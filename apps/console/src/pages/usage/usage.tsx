import { type UsageQuery, useRetrieveUsage } from "../../operations/retrieveUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { useTableFile } from "../../operations/use-table-file.js";
import { type Option, SelectField } from "../../parts/fields.js";
import { formatCount, formatMs, formatShare, formatUsd, plural } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Money } from "../../parts/money.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { StackedBars } from "../../parts/stacked-bars.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { type Tile, Tiles } from "../../parts/tiles.js";
import { changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { isSpan, spanOptions, spans, startOf, stepLabel, stepsOf } from "../time-span.js";
import {
  type Grouping,
  groupings,
  measures,
  moneyMeasures,
  rowsOf,
  seriesOf,
  type UsageRow,
} from "./group-usage.js";

export default function UsagePage() {
  const address = useAddress();
  const { query } = address;
  const time = query.get("time");
  const span = isSpan(time) ? time : "7d";
  const by = oneOf(groupings, query.get("by"), "model");
  const measure = oneOf(measures, query.get("measure"), "requests");
  const question: UsageQuery = {
    group_by: [by, spans[span].step],
    from: startOf(span, Date.now()),
  };
  const usage = useRetrieveUsage(question);
  const csv = useTableFile(`usage-${span}-by-${by}`, (client) => client.retrieveUsageTable(question));
  return (
    <Page
      title="Usage"
      actions={
        <button type="button" className="button" disabled={csv.isPending} onClick={() => csv.mutate()}>
          <Icon name="download" size={16} />
          CSV
        </button>
      }
    >
      <search className="filters">
        <SelectField
          label="Time"
          value={span}
          options={spanOptions}
          onChange={(value) => changeQuery(address, { time: value })}
        />
        <SelectField
          label="By"
          value={by}
          options={optionsOf(groupings)}
          onChange={(value) => changeQuery(address, { by: value })}
        />
        <SelectField
          label="Measure"
          value={measure}
          options={optionsOf(measures)}
          onChange={(value) => changeQuery(address, { measure: value })}
        />
      </search>
      {csv.error !== null && <Fault error={csv.error} />}
      <Loaded query={usage} shape="tiles">
        {({ data, totals }) => {
          if (data.length === 0)
            return (
              <Empty
                action={
                  <a className="button" href={linkTo("/models")}>
                    Try a model
                  </a>
                }
              >
                No requests in this time.
              </Empty>
            );
          const rows = rowsOf(data, by, measure);
          const series = seriesOf(data, rows, {
            by,
            measure,
            steps: { starts: stepsOf(span, Date.now()), label: (start) => stepLabel(span, start) },
          });
          const title = `${measures[measure]} by ${groupings[by].toLowerCase()}, per ${spans[span].step}, UTC`;
          return (
            <>
              <Tiles tiles={tilesOf(totals)} />
              <Panel title={title}>
                <StackedBars
                  series={series.names}
                  bars={series.bars}
                  label={`${title}. The same figures are in the table below.`}
                  format={moneyMeasures.has(measure) ? formatUsd : formatCount}
                />
              </Panel>
              <Panel title="In figures">
                <Table
                  caption={`Usage by ${groupings[by].toLowerCase()}`}
                  columns={columnsOf(by)}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
              </Panel>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function tilesOf(totals: Schemas["UsageTotals"]): Tile[] {
  const { requests, failed_requests, input_tokens, images, cost_usd, unpriced_requests } = totals;
  const { cached_inputs, saved_usd } = totals;
  return [
    { label: "requests", value: formatCount(requests) },
    { label: "failed", value: formatShare(failed_requests / Math.max(1, requests)) },
    {
      label: "median time",
      value: totals.duration_p50_ms === null ? "–" : formatMs(totals.duration_p50_ms),
      ...(totals.duration_p95_ms === null ? {} : { note: `95 % within ${formatMs(totals.duration_p95_ms)}` }),
    },
    { label: "tokens in", value: formatCount(input_tokens) },
    { label: "images", value: formatCount(images) },
    {
      label: "cost",
      value: cost_usd === null ? "not known" : formatUsd(cost_usd),
      ...(unpriced_requests === 0
        ? {}
        : { note: `and ${plural(unpriced_requests, "request")} without a price` }),
    },
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

function columnsOf(by: Grouping): Column<UsageRow>[] {
  return [
    { head: groupings[by], cell: ({ name }) => name },
    { head: "Requests", cell: ({ requests }) => formatCount(requests), kind: "number" },
    { head: "Failed", cell: ({ failed_requests }) => formatCount(failed_requests), kind: "number" },
    { head: "Tokens in", cell: ({ input_tokens }) => formatCount(input_tokens), kind: "number" },
    { head: "Tokens out", cell: ({ output_tokens }) => formatCount(output_tokens), kind: "number" },
    { head: "Images", cell: ({ images }) => formatCount(images), kind: "number" },
    {
      head: "Cost",
      cell: (row) => <Money usd={row.cost_usd} unpriced={row.unpriced_requests} />,
      kind: "number",
    },
    { head: "From the cache", cell: ({ cached_inputs }) => formatCount(cached_inputs), kind: "number" },
    { head: "Saved", cell: ({ saved_usd }) => <Money usd={saved_usd} />, kind: "number" },
  ];
}

function oneOf<Names extends object>(names: Names, name: string | null, otherwise: keyof Names): keyof Names {
  return name !== null && Object.hasOwn(names, name) ? (name as keyof Names) : otherwise;
}

function optionsOf(names: Readonly<Record<string, string>>): Option[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
