import { useEffect } from "react";
import { type RequestsQuery, useListRequests, useNewerRequests } from "../../operations/listRequests.js";
import { useRetrieveRequest } from "../../operations/retrieveRequest.js";
import type { Schemas } from "../../operations/schemas.js";
import { useTableFile } from "../../operations/use-table-file.js";
import { plural } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Page } from "../../parts/page.js";
import { Pager } from "../../parts/pager.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { linkTo, useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { readRange, type TimeRange } from "../time-range.js";
import { describeRetries } from "./failure.js";
import { FilterFields } from "./filter-fields.js";
import { requestColumns } from "./request-columns.js";
import { filterNames, readFilters } from "./request-filters.js";
import { RequestSheet } from "./request-sheet.js";
import { useRequestTotal } from "./request-total.js";

type RequestRecord = Schemas["RequestRecord"];

export default function RequestsPage() {
  const address = useAddress();
  const query = readFilters(address.query, Date.now());
  const csv = useTableFile("requests", (client) => client.listRequestsTable(query));
  return (
    <Page
      title="Requests"
      lead="Newest first. Prompts, vectors and images are never recorded."
      actions={
        <button type="button" className="button" disabled={csv.isPending} onClick={() => csv.mutate()}>
          <Icon name="download" size={16} />
          CSV
        </button>
      }
    >
      <FilterFields address={address} />
      {csv.error !== null && <Fault error={csv.error} />}
      <RequestRows
        query={query}
        range={readRange(address.query, Date.now())}
        isFiltered={filterNames.some((name) => address.query.has(name))}
      />
    </Page>
  );
}

interface RequestRowsProps {
  readonly query: RequestsQuery;
  /** The time that is chosen. */
  readonly range: TimeRange | undefined;
  readonly isFiltered: boolean;
}

function RequestRows({ query, range, isFiltered }: RequestRowsProps) {
  const requests = useListRequests(query);
  const rows = requests.data?.pages.flatMap((page) => page.data) ?? [];
  const newer = useNewerRequests(query, rows[0]);
  const total = useRequestTotal(query, range);
  const { open, link, show, close } = useSheet("request");
  const listed = rows.find(({ id }) => id === open);
  const retrieved = useRetrieveRequest(listed === undefined ? open : undefined);
  useKeys(open === undefined ? undefined : { rows, open, show });
  return (
    <Panel
      title={isFiltered ? "Matching requests" : "All requests"}
      actions={
        <span role="status">
          {newer > 0 && (
            <button type="button" className="button" onClick={() => void requests.refetch()}>
              {newer === 50 ? "50 or more newer" : `${newer} newer`}
            </button>
          )}
        </span>
      }
    >
      <Loaded query={requests}>
        {() =>
          rows.length === 0 ? (
            <NoRequests isFiltered={isFiltered} />
          ) : (
            <>
              <Table
                caption="Requests"
                columns={requestColumns(columns)}
                rows={rows}
                rowKey={({ id }) => id}
                link={({ id }) => link(id)}
                selected={open}
              />
              <Pager pages={requests} more="Older">
                {plural(rows.length, "request")} shown{total !== undefined && `, ${total}`}
              </Pager>
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <RequestSheet listed={listed} retrieved={retrieved} onClose={close}>
          <p className="small quiet sheet-hint">
            <kbd>j</kbd> next · <kbd>k</kbd> previous · <kbd>Esc</kbd> close
          </p>
        </RequestSheet>
      )}
    </Panel>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <Empty
        action={
          <a className="button" href={linkTo("/models")}>
            Try a model
          </a>
        }
      >
        No requests yet. A request appears here some seconds after its response.
      </Empty>
    );
  return (
    <Empty
      action={
        <a className="button" href={linkTo("/requests")}>
          Clear filters
        </a>
      }
    >
      No request fits.
    </Empty>
  );
}

/** `j` opens the next request of the list, `k` the one before. */
function useKeys(
  sheet:
    | { readonly rows: readonly RequestRecord[]; readonly open: string; readonly show: (id: string) => void }
    | undefined,
): void {
  useEffect(() => {
    if (sheet === undefined) return;
    const onKeyDown = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const step = { j: 1, k: -1 }[key];
      // The search may be open above the sheet, and there the letters are text.
      if (step === undefined || ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return;
      const next = sheet.rows[sheet.rows.findIndex(({ id }) => id === sheet.open) + step];
      if (next !== undefined) sheet.show(next.id);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}

const columns: readonly Column<RequestRecord>[] = [
  { head: "Key", cell: ({ key_name }) => key_name },
  {
    head: "Upstream",
    cell: ({ upstream, failed_attempts }) => (
      <>
        {upstream ?? "–"}
        {failed_attempts.length > 0 && (
          <p className="small quiet">after {describeRetries(failed_attempts)} failed</p>
        )}
      </>
    ),
  },
];
