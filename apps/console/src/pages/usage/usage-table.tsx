import { type ReactNode, useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { formatCount } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { useSorted } from "../../parts/sort.js";
import { type Column, Table } from "../../parts/table.js";
import { Spent } from "../keys/key-state.js";
import { groupings, type Measure, measures, type UsageRow } from "./group-usage.js";
import { requestsLink, rowLink, rowRequestsLink, type UsageView } from "./usage-view.js";

interface UsageTableProps {
  readonly view: UsageView;
  readonly rows: readonly UsageRow[];
  readonly totals: Schemas["UsageTotals"];
  /** The keys of the view, for a column of their budgets. */
  readonly keys?: readonly Schemas["AccessKey"][] | undefined;
}

const totalId = "total";
const firstRows = 50;
/** More rows are for a spreadsheet. */
const rowsMax = 1000;

/** The figures of a view. A name leads to what is behind it. The last row has the totals of all rows. */
export function UsageTable({ view, rows, totals, keys }: UsageTableProps) {
  const [isWhole, setWhole] = useState(false);
  const columns = columnsOf(view, keys, totals);
  // All rows, before the first of them are chosen.
  const { rows: sorted, sorting } = useSorted({ columns, rows });
  const shown = sorted.slice(0, isWhole ? rowsMax : firstRows);
  const total = { ...totals, id: totalId, name: "Total", value: null };
  return (
    <div className="usage-figures">
      <Table
        caption={`Usage by ${groupings[view.by].toLowerCase()}`}
        columns={columns}
        rows={[...shown, total]}
        rowKey={({ id }) => id}
        rowClass={({ id }) => (id === totalId ? "total-row" : undefined)}
        {...(sorting && { sorting })}
      />
      {shown.length < rows.length && (
        <div className="pager">
          <span className="quiet small">
            The first {formatCount(shown.length)} of {formatCount(rows.length)} rows. The totals and the CSV
            have all.
          </span>
          {!isWhole && (
            <button type="button" className="button" onClick={() => setWhole(true)}>
              Show {rows.length > rowsMax ? formatCount(rowsMax) : "all"}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function columnsOf(
  view: UsageView,
  keys: UsageTableProps["keys"],
  totals: UsageTableProps["totals"],
): Column<UsageRow>[] {
  const count = (head: string, of: (row: UsageRow) => number): Column<UsageRow> => ({
    head,
    cell: (row) => formatCount(of(row)),
    kind: "number",
    value: of,
  });
  const requestsOf = (row: UsageRow, more?: Readonly<Record<string, string>>) =>
    row.id === totalId ? requestsLink(view, more) : rowRequestsLink(view, row, more);
  /** A column of zeros only takes room, unless it is the measure. */
  const unlessZero = (measure: Measure, column: Column<UsageRow>) =>
    totals[measure] === 0 && view.measure !== measure ? [] : [column];
  return [
    {
      head: groupings[view.by],
      // The total has no name to filter by.
      cell: (row) => linked(row.id === totalId ? undefined : rowLink(view, row), row.name),
      value: ({ name }) => name,
    },
    {
      head: "Cost",
      cell: ({ cost_usd, unpriced_requests }) => <Money usd={cost_usd} unpriced={unpriced_requests} />,
      kind: "number",
      value: ({ cost_usd }) => cost_usd,
    },
    ...(view.by === "key" && keys !== undefined ? [budgetColumn(keys)] : []),
    {
      ...count("Requests", ({ requests }) => requests),
      cell: (row) => linked(requestsOf(row), formatCount(row.requests)),
    },
    {
      ...count("Failed", ({ failed_requests }) => failed_requests),
      cell: (row) =>
        linked(
          row.failed_requests === 0 ? undefined : requestsOf(row, { failed: "true" }),
          formatCount(row.failed_requests),
        ),
    },
    ...(["input_tokens", "output_tokens", "images", "cached_inputs"] as const).flatMap((measure) =>
      unlessZero(
        measure,
        count(measures[measure], (row) => row[measure]),
      ),
    ),
    ...unlessZero("saved_usd", {
      head: measures.saved_usd,
      cell: ({ saved_usd }) => <Money usd={saved_usd} />,
      kind: "number",
      value: ({ saved_usd }) => saved_usd,
    }),
  ];
}

function budgetColumn(keys: readonly Schemas["AccessKey"][]): Column<UsageRow> {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    head: "Spent of budget",
    kind: "nowrap",
    cell: ({ value }) => {
      const key = byId.get(value ?? "");
      return key === undefined || key.budget === null ? "–" : <Spent accessKey={key} />;
    },
  };
}

function linked(link: string | undefined, text: ReactNode): ReactNode {
  return link === undefined ? text : <a href={link}>{text}</a>;
}
