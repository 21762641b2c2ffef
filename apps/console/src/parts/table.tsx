import type { MouseEvent, ReactNode } from "react";
import { type Sortable, SortHead, type Sorting, useSorted } from "./sort.js";

export interface Column<Row> extends Sortable<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly kind?: "number" | "nowrap";
}

interface TableProps<Row> {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowClass?: (row: Row) => string | undefined;
  /** The `href` that opens a row. Its first cell is the link. */
  readonly link?: (row: Row) => string;
  readonly selected?: string | undefined;
  /** The order of rows that the server sorts. */
  readonly sorting?: Sorting;
}

/** A table that scrolls in itself when it is wider than the page. The first cell of a row names it. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rowKey, rowClass, link, selected } = props;
  const { rows, sorting } = useSorted(props);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="table-scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHead key={column.head} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            const className = [link && "link-row", rowClass?.(row)].filter(Boolean).join(" ");
            return (
              <tr
                key={key}
                className={className || undefined}
                aria-current={selected === key || undefined}
                {...(link && { onClick: openRow })}
              >
                {columns.map(({ head, cell, kind }, index) =>
                  index === 0 ? (
                    <th key={head} scope="row" className={kind}>
                      {link === undefined ? cell(row) : <a href={link(row)}>{cell(row)}</a>}
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

/** A click anywhere in the row follows its link, unless it is on another control or ends a selection of text. */
function openRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if (target instanceof Element && target.closest("a, button") !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  const link = currentTarget.querySelector<HTMLAnchorElement>("th a");
  // The focus returns to the link when the sheet closes.
  link?.focus();
  link?.click();
}
