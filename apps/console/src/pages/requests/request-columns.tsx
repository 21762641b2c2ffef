import { formatMs } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import type { Column } from "../../parts/table.js";
import { chosenZone, zoneName } from "../../parts/time-zone.js";
import { ClockTime } from "../../parts/when.js";
import { RequestModel, type ShownRequest } from "./request-facts.js";
import { StatusBadge } from "./status-badge.js";

/** The columns of a list of requests. @param more Those that only some lists have. */
export function requestColumns<Row extends ShownRequest>(more: readonly Column<Row>[] = []): Column<Row>[] {
  return [
    {
      head: `Time, ${zoneName(Date.now() / 1000, chosenZone())}`,
      cell: ({ created_at }) => <ClockTime at={created_at} />,
      kind: "nowrap",
    },
    { head: "Status", cell: (row) => <StatusBadge request={row} /> },
    {
      head: "Model",
      cell: (row) => (
        <div className="whole-name">
          <RequestModel request={row} />
        </div>
      ),
    },
    { head: "Operation", cell: ({ operation }) => operation },
    ...more,
    { head: "Took", cell: ({ duration_ms }) => formatMs(duration_ms), kind: "number" },
    { head: "Cost", cell: ({ cost_usd }) => <Money usd={cost_usd} />, kind: "number" },
  ];
}
