import { useState } from "react";

export interface Order {
  readonly by: string;
  readonly descending: boolean;
}

export interface Sorting extends Order {
  readonly onSort: (by: string) => void;
}

/** How the rows of a column are sorted, if they can be. */
export interface Sortable<Row> {
  /** The server sorts by it, under this name. */
  readonly sort?: string;
  /** The browser sorts by it, for tables that hold all their rows. Rows without a value come last. */
  readonly value?: (row: Row) => string | number | null | undefined;
}

interface Head<Row> extends Sortable<Row> {
  readonly head: string;
  readonly kind?: "number" | "nowrap";
}

interface Sorted<Row> {
  readonly columns: readonly Head<Row>[];
  readonly rows: readonly Row[];
  readonly sorting?: Sorting | undefined;
}

/** The rows in the order that was chosen. At first, and where the server sorts, they stay as they are. */
export function useSorted<Row>({ columns, rows, sorting }: Sorted<Row>): Omit<Sorted<Row>, "columns"> {
  const [order, setOrder] = useState<Order>({ by: "", descending: false });
  if (sorting !== undefined || columns.every(({ value }) => value === undefined)) return { rows, sorting };
  const column = columns.find(({ head }) => head === order.by);
  const onSort = (by: string) => {
    const first = columns.find(({ head }) => head === by)?.kind === "number";
    setOrder({ by, descending: by === order.by ? !order.descending : first });
  };
  return {
    rows: column?.value === undefined ? rows : sortRows(rows, column.value, order),
    sorting: { ...order, onSort },
  };
}

/** Sorts numbers by size and words as a reader would. Rows without a value come last, in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: NonNullable<Sortable<Row>["value"]>,
  { descending }: Pick<Order, "descending">,
): Row[] {
  const direction = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one) ?? undefined, value(other) ?? undefined];
    if (left === undefined || right === undefined) return +(left === undefined) - +(right === undefined);
    if (typeof left === "number" && typeof right === "number") return direction * (left - right);
    return direction * String(left).localeCompare(String(right), "en", { numeric: true });
  });
}

interface SortHeadProps<Row> {
  readonly column: Head<Row>;
  readonly sorting: Sorting | undefined;
}

/** The head of a column: a button if the column can be sorted. */
export function SortHead<Row>({ column: { head, kind, sort, value }, sorting }: SortHeadProps<Row>) {
  const by = sort ?? (value && head);
  if (by === undefined || sorting === undefined)
    return (
      <th scope="col" className={kind}>
        {head}
      </th>
    );
  const isSorted = sorting.by === by;
  return (
    <th
      scope="col"
      className={kind}
      aria-sort={isSorted ? (sorting.descending ? "descending" : "ascending") : undefined}
    >
      <button type="button" className="sort" onClick={() => sorting.onSort(by)}>
        {head}
        {isSorted && <span aria-hidden="true">{sorting.descending ? "↓" : "↑"}</span>}
      </button>
    </th>
  );
}
