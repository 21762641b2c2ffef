import { useListOwnRequests } from "../../operations/listOwnRequests.js";
import { useRetrieveOwnRequest } from "../../operations/retrieveOwnRequest.js";
import { SelectField } from "../../parts/fields.js";
import { plural } from "../../parts/format.js";
import { Pager } from "../../parts/pager.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { requestColumns } from "../requests/request-columns.js";
import { RequestSheet } from "../requests/request-sheet.js";

/** The requests of the key that is signed in, newest first. */
export function OwnRequests() {
  const address = useAddress();
  const isFailed = address.query.get("failed") === "true";
  const batch = address.query.get("batch") ?? undefined;
  const job = address.query.get("job") ?? undefined;
  const requests = useListOwnRequests({
    limit: 50,
    ...(isFailed && { failed: true }),
    ...(batch !== undefined && { batch }),
    ...(job !== undefined && { job }),
  });
  const rows = requests.data?.pages.flatMap((page) => page.data) ?? [];
  const { open, link, close } = useSheet("request");
  const listed = rows.find(({ id }) => id === open);
  const retrieved = useRetrieveOwnRequest(listed === undefined ? open : undefined);
  return (
    <Panel
      title={
        batch !== undefined
          ? "Your requests of one batch"
          : job !== undefined
            ? "Your request of one image job"
            : "Your requests"
      }
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
          {(batch !== undefined || job !== undefined) && (
            <a className="button" href={linkTo("/key")}>
              Show all
            </a>
          )}
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
                : batch !== undefined || job !== undefined
                  ? "Your key has no request here. Another key of the same owner may have created it."
                  : "No requests yet. A request appears here some seconds after its response."}
            </Empty>
          ) : (
            <>
              <Table
                caption="Requests of this key"
                columns={requestColumns()}
                rows={rows}
                rowKey={({ id }) => id}
                link={({ id }) => link(id)}
                selected={open}
              />
              <Pager pages={requests} more="Older">
                {plural(rows.length, "request")} shown
              </Pager>
            </>
          )
        }
      </Loaded>
      {open !== undefined && <RequestSheet listed={listed} retrieved={retrieved} onClose={close} />}
    </Panel>
  );
}
