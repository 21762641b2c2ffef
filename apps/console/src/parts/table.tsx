import type { KeyboardEvent, ReactNode } from "react";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly kind?: "number" | "nowrap";
  /** The column can be sorted by the server, by this name. */
  readonly sort?: string;
}

interface TableProps<Row> {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowClass?: (row: Row) => string | undefined;
  readonly onOpen?: (row: Row) => void;
  readonly selected?: string | undefined;
  readonly sorting?: Sorting;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
  readonly onSort: (by: string) => void;
}

/** A table that scrolls in itself when it is wider than the page. The first cell of a row names it. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, rowClass, onOpen, selected, sorting } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="table-scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.head} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            const className = [onOpen && "link-row", rowClass?.(row)].filter(Boolean).join(" ");
            return (
              <tr
                key={key}
                className={className || undefined}
                aria-current={selected === key || undefined}
                {...(onOpen && openable(() => onOpen(row)))}
              >
                {columns.map(({ head, cell, kind }, index) =>
                  index === 0 ? (
                    <th key={head} scope="row" className={kind}>
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={head} className={kind}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function HeadCell<Row>({
  column: { head, kind, sort },
  sorting,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}) {
  if (sort === undefined || sorting === undefined)
    return (
      <th scope="col" className={kind}>
        {head}
      </th>
    );
  const isSorted = sorting.by === sort;
  return (
    <th
      scope="col"
      className={kind}
      aria-sort={isSorted ? (sorting.descending ? "descending" : "ascending") : undefined}
    >
      <button type="button" className="sort" onClick={() => sorting.onSort(sort)}>
        {head}
        {isSorted && <span aria-hidden="true">{sorting.descending ? "↓" : "↑"}</span>}
      </button>
    </th>
  );
}

/** A row that opens on a click, and on Enter when it has the focus. */
function openable(open: () => void) {
  return {
    tabIndex: 0,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.target !== event.currentTarget) return;
      // Otherwise the same key press would reach the newly focused button, and close the sheet.
      event.preventDefault();
      open();
    },
  };
}
