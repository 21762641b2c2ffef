import { useEffect } from "react";
import { type RequestsQuery, useListRequests, useNewerRequests } from "../../operations/listRequests.js";
import type { Schemas } from "../../operations/schemas.js";
import { useTableFile } from "../../operations/use-table-file.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { formatMs, plural } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Money } from "../../parts/money.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { type Address, changeQuery, goTo, linkTo, useAddress } from "../../routes/address.js";
import { RangeFields } from "../range-fields.js";
import { filterNames, filterValues, readFilters } from "./request-filters.js";
import { RequestSheet } from "./request-sheet.js";
import { StatusBadge } from "./status-badge.js";

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
      <Filters address={address} />
      {csv.error !== null && <Fault error={csv.error} />}
      <RequestRows address={address} query={query} />
    </Page>
  );
}

function RequestRows({ address, query }: { readonly address: Address; readonly query: RequestsQuery }) {
  const requests = useListRequests(query);
  const rows = requests.data?.pages.flatMap((page) => page.data) ?? [];
  const newer = useNewerRequests(query, rows[0]);
  const open = address.query.get("request") ?? undefined;
  const show = (id: string | undefined) => changeQuery(address, { request: id });
  useKeys(open === undefined ? undefined : { rows, open, show });
  const isFiltered = filterNames.some((name) => address.query.has(name));
  return (
    <Panel
      title={isFiltered ? "Requests that fit" : "All requests"}
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
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                onOpen={({ id }) => show(id)}
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
        <RequestSheet id={open} listed={rows.find(({ id }) => id === open)} onClose={() => show(undefined)} />
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
        <button type="button" className="button" onClick={() => goTo(linkTo("/requests"))}>
          Clear filters
        </button>
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
    const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const step = { j: 1, k: -1 }[key];
      if (step === undefined || ctrlKey || metaKey || altKey) return;
      const next = sheet.rows[sheet.rows.findIndex(({ id }) => id === sheet.open) + step];
      if (next !== undefined) sheet.show(next.id);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}

const columns: readonly Column<RequestRecord>[] = [
  { head: "When", cell: ({ created_at }) => <When at={created_at} />, kind: "nowrap" },
  { head: "Status", cell: (row) => <StatusBadge request={row} /> },
  { head: "Model", cell: ({ model }) => model ?? <span className="quiet">none</span> },
  { head: "Operation", cell: ({ operation }) => operation },
  { head: "Key", cell: ({ key_name }) => key_name },
  { head: "Upstream", cell: ({ upstream }) => upstream ?? "–" },
  { head: "Time", cell: ({ duration_ms }) => formatMs(duration_ms), kind: "number" },
  { head: "Cost", cell: ({ cost_usd }) => <Money usd={cost_usd} />, kind: "number" },
];

function Filters({ address }: { readonly address: Address }) {
  const { query } = address;
  const value = (name: (typeof filterNames)[number]) => query.get(name) ?? "";
  const text = (name: (typeof filterNames)[number], label: string, type = "search") => (
    <TextField
      label={label}
      type={type}
      {...(type === "number" && { room: "narrow" as const })}
      value={value(name)}
      onChange={(event) => changeQuery(address, { [name]: event.target.value })}
    />
  );
  const select = (
    name: (typeof filterNames)[number],
    label: string,
    options: { value: string; label: string }[],
  ) => (
    <SelectField
      label={label}
      value={value(name)}
      options={[{ value: "", label: "Any" }, ...options]}
      onChange={(chosen) => changeQuery(address, { [name]: chosen })}
      room="narrow"
    />
  );
  return (
    <search className="filters">
      <RangeFields address={address} before={[{ value: "", label: "Any" }]} otherwise="" />
      {text("model", "Model")}
      {text("key", "Key id")}
      {text("upstream", "Upstream")}
      {select("operation", "Operation", optionsOf(filterValues.operations))}
      {select("failed", "Outcome", [
        { value: "true", label: "Failed" },
        { value: "false", label: "Succeeded" },
      ])}
      {text("error_code", "Error code")}
      {select("cache", "Cache", optionsOf(filterValues.caches))}
      {text("min_duration_ms", "Slower than, ms", "number")}
    </search>
  );
}
