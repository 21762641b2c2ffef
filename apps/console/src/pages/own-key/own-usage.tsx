import type { Schemas } from "../../operations/schemas.js";
import { formatCount, formatUsd } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { StackedBars } from "../../parts/stacked-bars.js";
import { Empty } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { linkTo } from "../../routes/address.js";
import { rangeStepLabel, rangeSteps, type TimeRange } from "../time-range.js";
import { rowsOf, seriesOf } from "../usage/group-usage.js";

interface OwnUsageProps {
  readonly groups: readonly Schemas["UsageGroup"][];
  readonly month: TimeRange;
}

/** The month by model and day, as bars and in figures. */
export function OwnUsage({ groups, month }: OwnUsageProps) {
  if (groups.length === 0)
    return (
      <Empty
        action={
          <a className="button" href={linkTo("/models")}>
            Try a model
          </a>
        }
      >
        No requests in this month.
      </Empty>
    );
  const isPriced = groups.some(({ cost_usd }) => cost_usd !== null && cost_usd > 0);
  const measure = isPriced ? "cost_usd" : "requests";
  const rows = rowsOf(groups, "model", measure);
  const { names, bars } = seriesOf(groups, rows, {
    by: "model",
    measure,
    steps: {
      starts: rangeSteps(month, Date.now()),
      label: (start) => rangeStepLabel(month, start),
    },
  });
  return (
    <div className="stack">
      <StackedBars
        series={names}
        bars={bars}
        label={`${isPriced ? "Cost" : "Requests"} by model and day. The figures are in the table below.`}
        format={isPriced ? formatUsd : formatCount}
      />
      <Table
        caption="Usage by model"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { head: "Model", cell: ({ name }) => name },
          { head: "Requests", cell: ({ requests }) => formatCount(requests), kind: "number" },
          { head: "Failed", cell: ({ failed_requests }) => formatCount(failed_requests), kind: "number" },
          { head: "Tokens in", cell: ({ input_tokens }) => formatCount(input_tokens), kind: "number" },
          { head: "Images", cell: ({ images }) => formatCount(images), kind: "number" },
          {
            head: "Cost",
            cell: (row) => <Money usd={row.cost_usd} unpriced={row.unpriced_requests} />,
            kind: "number",
          },
        ]}
      />
    </div>
  );
}
