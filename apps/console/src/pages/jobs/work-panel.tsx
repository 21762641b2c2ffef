import type { ReactNode } from "react";
import { type Option, SelectField } from "../../parts/fields.js";
import { Pager } from "../../parts/pager.js";
import { Panel } from "../../parts/panel.js";
import { Empty, type Loadable, Loaded } from "../../parts/states.js";
import { type Column, Table } from "../../parts/table.js";
import { changeQuery, useAddress } from "../../routes/address.js";
import type { Sheet } from "../../routes/sheet.js";

interface WorkPanelProps<Row> {
  readonly title: string;
  readonly query: Loadable<{ readonly pages: readonly { readonly data: readonly Row[] }[] }> &
    Parameters<typeof Pager>[0]["pages"] & { readonly isFetching: boolean };
  readonly columns: readonly Column<Row>[];
  readonly sheet: Sheet;
  /** The states to choose from, and their filter in the address. */
  readonly states: { readonly filter: string; readonly options: readonly Option[] };
  readonly isFiltered: boolean;
  /** Shown beside the filter. */
  readonly action?: ReactNode;
  /** "3 batches". */
  readonly count: (rows: number) => string;
  /** Shown if there is none at all: how to create one. */
  readonly none: ReactNode;
}

/** A list of work with its state filter. The two lists of the page differ in their columns alone. */
export function WorkPanel<Row extends { readonly id: string }>(props: WorkPanelProps<Row>) {
  const { title, query, columns, sheet, states, isFiltered, action, count, none } = props;
  const address = useAddress();
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Panel
      title={title}
      actions={
        <div className="row">
          <SelectField
            label="State"
            room="narrow"
            value={address.query.get(states.filter) ?? ""}
            options={[{ value: "", label: "Any" }, ...states.options]}
            onChange={(chosen) => changeQuery(address, { [states.filter]: chosen })}
          />
          <button
            type="button"
            className="button"
            disabled={query.isFetching}
            onClick={() => void query.refetch()}
          >
            Reload
          </button>
          {action}
        </div>
      }
    >
      <Loaded query={query}>
        {() =>
          rows.length > 0 ? (
            <>
              <div className="work">
                <Table
                  caption={`List of ${title.toLowerCase()}`}
                  columns={columns}
                  rows={rows}
                  rowKey={({ id }) => id}
                  link={({ id }) => sheet.link(id)}
                  selected={sheet.open}
                />
              </div>
              <Pager pages={query} more="Older">
                {count(rows.length)} shown
              </Pager>
            </>
          ) : isFiltered ? (
            <Empty>Nothing fits the filters.</Empty>
          ) : (
            none
          )
        }
      </Loaded>
    </Panel>
  );
}
