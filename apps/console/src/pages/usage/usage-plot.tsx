import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import { formatCount, formatUsd } from "../../parts/format.js";
import { Panel } from "../../parts/panel.js";
import { StackedBars } from "../../parts/stacked-bars.js";
import { Loaded } from "../../parts/states.js";
import { rangeStepLabel, rangeSteps } from "../time-range.js";
import { groupings, measures, moneyMeasures, rowsOf, seriesOf, type UsageRow } from "./group-usage.js";
import { questionOf, type UsageView } from "./usage-view.js";

/** With more rows, the steps are asked for without them: the response would have a group for each row and step. */
const splitRowsMax = 100;

/** The measure over time, one bar a step. */
export function UsagePlot({ view, rows }: { readonly view: UsageView; readonly rows: readonly UsageRow[] }) {
  const { range, by, measure } = view;
  const isSplit = rows.length <= splitRowsMax;
  const steps = useRetrieveUsage({
    ...questionOf(view),
    group_by: isSplit ? [by, range.step] : [range.step],
  });
  const split = isSplit ? ` by ${groupings[by].toLowerCase()}` : "";
  const title = `${measures[measure]}${split}, per ${range.step}, UTC`;
  return (
    <Panel title={title}>
      <Loaded query={steps}>
        {({ data }) => {
          const whole = rowsOf(data, by, measure).map((row) => ({ ...row, name: "all" }));
          const nowMs = Date.now();
          const { names, bars } = seriesOf(data, isSplit ? rows : whole, {
            by,
            measure,
            steps: { starts: rangeSteps(range, nowMs), label: (start) => rangeStepLabel(range, start) },
          });
          return (
            <StackedBars
              series={names}
              bars={bars}
              label={`${title}. The figures of the whole time are in the table.`}
              format={moneyMeasures.has(measure) ? formatUsd : formatCount}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
