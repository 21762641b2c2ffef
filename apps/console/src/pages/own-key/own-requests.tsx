import { useListOwnRequests } from "../../operations/listOwnRequests.js";
import type { Schemas } from "../../operations/schemas.js";
import { SelectField } from "../../parts/fields.js";
import { formatMs, plural } from "../../parts/format.js";
import { Money } from "../../parts/money.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { chosenZone, zoneName } from "../../parts/time-zone.js";
import { ClockTime } from "../../parts/when.js";
import { changeQuery, useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { StatusBadge } from "../requests/status-badge.js";
import { OwnRequestSheet } from "./own-request-sheet.js";

type OwnRequest = Schemas["OwnRequest"];

/** The requests of the key that is signed in, newest first. */
export function OwnRequests() {
  const address = useAddress();
  const isFailed = address.query.get("failed") === "true";
  const requests = useListOwnRequests({ limit: 50, ...(isFailed && { failed: true }) });
  const rows = requests.data?.pages.flatMap((page) => page.data) ?? [];
  const { open, link, close } = useSheet("request");
  return (
    <Panel
      title="Your requests"
      actions={
        <div className="row">
          <SelectField
            label="Outcome"
            room="narrow"
            value={isFailed ? "true" : ""}
            options={[
              { value: "", label: "Any" },
              { value: "true", label: "Failed" },
            ]}
            onChange={(chosen) => changeQuery(address, { failed: chosen })}
          />
          <button
            type="button"
            className="button"
            disabled={requests.isFetching}
            onClick={() => void requests.refetch()}
          >
            Reload
          </button>
        </div>
      }
    >
      <Loaded query={requests}>
        {() =>
          rows.length === 0 ? (
            <Empty>
              {isFailed
                ? "No request has failed."
                : "No requests yet. A request appears here some seconds after its response."}
            </Empty>
          ) : (
            <>
              <Table
                caption="Requests of this key"
                columns={columnsIn(zoneName(Date.now() / 1000, chosenZone()))}
                rows={rows}
                rowKey={({ id }) => id}
                link={({ id }) => link(id)}
                selected={open}
              />
              <div className="pager">
                <span className="quiet small">{plural(rows.length, "request")} shown</span>
                {requests.hasNextPage && (
                  <button
                    type="button"
                    className="button"
                    disabled={requests.isFetchingNextPage}
                    onClick={() => void requests.fetchNextPage()}
                  >
                    {requests.isFetchingNextPage ? "Loading…" : "Older"}
                  </button>
                )}
              </div>
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <OwnRequestSheet id={open} listed={rows.find(({ id }) => id === open)} onClose={close} />
      )}
    </Panel>
  );
}

/** @param zone The name of the zone of the times. */
function columnsIn(zone: string): readonly Column<OwnRequest>[] {
  return [
    {
      head: `Time, ${zone}`,
      cell: ({ created_at }) => <ClockTime at={created_at} />,
      kind: "nowrap",
    },
    { head: "Status", cell: (row) => <StatusBadge request={row} /> },
    { head: "Model", cell: ({ model }) => model ?? <span className="quiet">none</span> },
    { head: "Operation", cell: ({ operation }) => operation },
    { head: "Took", cell: ({ duration_ms }) => formatMs(duration_ms), kind: "number" },
    { head: "Cost", cell: ({ cost_usd }) => <Money usd={cost_usd} />, kind: "number" },
  ];
}
