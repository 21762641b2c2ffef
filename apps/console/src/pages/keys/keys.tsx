import { useCreateKey } from "../../operations/createKey.js";
import { type KeysQuery, useListKeys } from "../../operations/listKeys.js";
import { useRotateKey } from "../../operations/rotateKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { useTableFile } from "../../operations/use-table-file.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Filters } from "../../parts/filters.js";
import { plural } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Page } from "../../parts/page.js";
import { Pager } from "../../parts/pager.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { type Address, changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { May } from "../../session/session-context.js";
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
  const form = useSheet("create");
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
          <May call="createKey">
            <a className="button primary" href={form.link("key")}>
              Create key
            </a>
          </May>
        </div>
      }
    >
      <Filters
        count={query.status === undefined ? 0 : 1}
        first={
          <TextField
            label="Find"
            room="wide"
            type="search"
            placeholder="Name, owner, last four"
            value={address.query.get("search") ?? ""}
            onChange={(event) => changeQuery(address, { search: event.target.value })}
          />
        }
      >
        <SelectField
          label="State"
          value={query.status ?? ""}
          options={[{ value: "", label: "Any" }, ...optionsOf(statuses)]}
          onChange={(status) => changeQuery(address, { status })}
        />
      </Filters>
      {csv.error !== null && <Fault error={csv.error} />}
      <KeyRows address={address} query={query} rotate={rotate} createLink={form.link("key")} />
      {form.open !== undefined && created === undefined && (
        <CreateKeyDialog create={create} onClose={form.close} />
      )}
      {created !== undefined && (
        <HandOverDialog
          created={created}
          onClose={() => {
            create.reset();
            rotate.reset();
            if (form.open !== undefined) form.close();
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
  readonly createLink: string;
}

function KeyRows({ address, query, rotate, createLink }: KeyRowsProps) {
  const keys = useListKeys(query);
  const { open, link, close } = useSheet("key");
  const rows = keys.data?.pages.flatMap((page) => page.data) ?? [];
  const total = keys.data?.pages.at(-1)?.total;
  const { sort = "created_at", order = "desc" } = query;
  return (
    <Panel title="All keys">
      <Loaded query={keys}>
        {() =>
          rows.length === 0 ? (
            <NoKeys
              isFiltered={query.search !== undefined || query.status !== undefined}
              createLink={createLink}
            />
          ) : (
            <>
              <Table
                caption="Keys"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                rowClass={({ source }) => (source === "file" ? "greyed" : undefined)}
                link={({ id }) => link(id)}
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
              <Pager pages={keys} more="More">
                {total === undefined || total <= rows.length
                  ? plural(rows.length, "key")
                  : `${rows.length} of ${plural(total, "key")}`}{" "}
                shown
              </Pager>
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <KeySheet id={open} listed={rows.find(({ id }) => id === open)} rotate={rotate} onClose={close} />
      )}
    </Panel>
  );
}

interface NoKeysProps {
  readonly isFiltered: boolean;
  readonly createLink: string;
}

function NoKeys({ isFiltered, createLink }: NoKeysProps) {
  if (isFiltered)
    return (
      <Empty
        action={
          <a className="button" href={linkTo("/keys")}>
            Clear filters
          </a>
        }
      >
        No key fits.
      </Empty>
    );
  return (
    <Empty
      action={
        <a className="button" href={createLink}>
          Create key
        </a>
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
  { head: "State", cell: ({ status }) => <KeyStatusBadge status={status} /> },
  { head: "Owner", cell: ({ owner }) => owner ?? "–" },
  { head: "Secret", cell: (key) => <Secrets accessKey={key} />, kind: "nowrap" },
  { head: "Models", cell: ({ models }) => models?.join(", ") ?? "all" },
  { head: "Priority", cell: ({ priority }) => priority },
  {
    head: "Last used",
    sort: "last_used_at",
    cell: ({ last_used_at }) => <When at={last_used_at} />,
    kind: "nowrap",
  },
  { head: "Spent", sort: "spent_usd", cell: (key) => <Spent accessKey={key} />, kind: "nowrap" },
];
