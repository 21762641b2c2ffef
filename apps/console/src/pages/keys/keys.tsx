import { useState } from "react";
import { useCreateKey } from "../../operations/createKey.js";
import { type KeysQuery, useListKeys } from "../../operations/listKeys.js";
import { useRotateKey } from "../../operations/rotateKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { useTableFile } from "../../operations/use-table-file.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { plural } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { type Address, changeQuery, goTo, linkTo, useAddress } from "../../routes/address.js";
import { CreateKeyDialog } from "./create-key.js";
import { HandOverDialog } from "./hand-over.js";
import { KeySheet } from "./key-sheet.js";
import { KeyStatusBadge, Secrets, Spent } from "./key-state.js";

type AccessKey = Schemas["AccessKey"];

const statuses = ["active", "disabled", "expired", "revoked"] as const;
const sorts = ["created_at", "name", "last_used_at", "spent_usd"] as const;

export default function KeysPage() {
  const address = useAddress();
  const query = readQuery(address.query);
  const [isCreating, setCreating] = useState(false);
  // Here, and not in the dialogs: Back must not lose a new secret.
  const create = useCreateKey();
  const rotate = useRotateKey();
  const created = create.data ?? rotate.data;
  const csv = useTableFile("keys", (client) => client.listKeysTable(query));
  return (
    <Page
      title="Keys"
      lead="The keys of callers, and the spending of each."
      actions={
        <div className="row">
          <button type="button" className="button" disabled={csv.isPending} onClick={() => csv.mutate()}>
            <Icon name="download" size={16} />
            CSV
          </button>
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            Create key
          </button>
        </div>
      }
    >
      <search className="filters">
        <TextField
          label="Find"
          room="wide"
          type="search"
          placeholder="Name, owner, last four"
          value={address.query.get("search") ?? ""}
          onChange={(event) => changeQuery(address, { search: event.target.value })}
        />
        <SelectField
          label="State"
          value={query.status ?? ""}
          options={[{ value: "", label: "Any" }, ...optionsOf(statuses)]}
          onChange={(status) => changeQuery(address, { status })}
        />
      </search>
      {csv.error !== null && <Fault error={csv.error} />}
      <KeyRows address={address} query={query} rotate={rotate} onCreate={() => setCreating(true)} />
      {isCreating && created === undefined && (
        <CreateKeyDialog create={create} onClose={() => setCreating(false)} />
      )}
      {created !== undefined && (
        <HandOverDialog
          created={created}
          onClose={() => {
            create.reset();
            rotate.reset();
            setCreating(false);
          }}
        />
      )}
    </Page>
  );
}

/** Reads the filters from the URL. Values that the operation does not know are dropped. */
function readQuery(address: URLSearchParams): KeysQuery {
  const search = address.get("search")?.trim();
  const status = statuses.find((one) => one === address.get("status"));
  const sort = sorts.find((one) => one === address.get("sort"));
  return {
    limit: 50,
    ...(search && { search }),
    ...(status && { status }),
    ...(sort && { sort, order: address.get("order") === "asc" ? "asc" : "desc" }),
  };
}

interface KeyRowsProps {
  readonly address: Address;
  readonly query: KeysQuery;
  readonly rotate: ReturnType<typeof useRotateKey>;
  readonly onCreate: () => void;
}

function KeyRows({ address, query, rotate, onCreate }: KeyRowsProps) {
  const keys = useListKeys(query);
  const open = address.query.get("key") ?? undefined;
  const setOpen = (id: string | undefined) => changeQuery(address, { key: id });
  const rows = keys.data?.pages.flatMap((page) => page.data) ?? [];
  const { sort = "created_at", order = "desc" } = query;
  return (
    <Panel title="All keys">
      <Loaded query={keys}>
        {() =>
          rows.length === 0 ? (
            <NoKeys
              isFiltered={query.search !== undefined || query.status !== undefined}
              onCreate={onCreate}
            />
          ) : (
            <>
              <Table
                caption="Keys"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                rowClass={({ source }) => (source === "file" ? "greyed" : undefined)}
                onOpen={({ id }) => setOpen(id)}
                selected={open}
                sorting={{
                  by: sort,
                  descending: order === "desc",
                  onSort: (by) =>
                    changeQuery(address, {
                      sort: by,
                      order: by === sort && order === "desc" ? "asc" : "desc",
                    }),
                }}
              />
              <div className="pager">
                <span className="quiet small">{plural(rows.length, "key")} shown</span>
                {keys.hasNextPage && (
                  <button
                    type="button"
                    className="button"
                    disabled={keys.isFetchingNextPage}
                    onClick={() => void keys.fetchNextPage()}
                  >
                    {keys.isFetchingNextPage ? "Loading…" : "More"}
                  </button>
                )}
              </div>
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <KeySheet
          id={open}
          listed={rows.find(({ id }) => id === open)}
          rotate={rotate}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}

function NoKeys({ isFiltered, onCreate }: { readonly isFiltered: boolean; readonly onCreate: () => void }) {
  if (isFiltered)
    return (
      <Empty
        action={
          <button type="button" className="button" onClick={() => goTo(linkTo("/keys"))}>
            Clear filters
          </button>
        }
      >
        No key fits.
      </Empty>
    );
  return (
    <Empty
      action={
        <button type="button" className="button" onClick={onCreate}>
          Create key
        </button>
      }
    >
      There is no key yet.
    </Empty>
  );
}

const columns: readonly Column<AccessKey>[] = [
  {
    head: "Name",
    sort: "name",
    cell: ({ name, source }) => (
      <>
        {name}
        {source === "file" && <div className="small quiet">in the configuration</div>}
      </>
    ),
  },
  { head: "Owner", cell: ({ owner }) => owner ?? "–" },
  { head: "Secret", cell: (key) => <Secrets accessKey={key} /> },
  { head: "Models", cell: ({ models }) => models?.join(", ") ?? "all" },
  { head: "Priority", cell: ({ priority }) => priority },
  { head: "State", cell: ({ status }) => <KeyStatusBadge status={status} /> },
  {
    head: "Last used",
    sort: "last_used_at",
    cell: ({ last_used_at }) => <When at={last_used_at} />,
    kind: "nowrap",
  },
  { head: "Spent", sort: "spent_usd", cell: (key) => <Spent accessKey={key} />, kind: "nowrap" },
];
