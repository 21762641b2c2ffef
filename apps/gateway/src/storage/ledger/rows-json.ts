import { type AliasedRawBuilder, type CompiledQuery, sql } from "kysely";
import { toColumns } from "../../usage/ledger/generated/ledger-row.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { toStorable } from "../database/cursor.js";
import type { Column, DatabaseKind } from "../database/define-table.js";
import type { Tables } from "../database/schema/tables.js";

const textLengthMax = 256;

/**
 * The rows as a parameter of the ledger's statements. One bad character, long name or broken number must not block the
 * ledger, so values that cannot be stored are repaired.
 */
export function writeLedgerJson(kind: DatabaseKind, rows: readonly LedgerRow[]): string {
  const json = writeJsonRows(
    kind,
    rows.map((row) => toGivenRow(row, truncate)),
  );
  // JSON escapes these characters, so one search through the whole text is cheaper than one per value.
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return writeJsonRows(
    kind,
    rows.map((row) => toGivenRow(row, repair)),
  );
}

type WriteText = (text: string) => string;

/** A row to be added. */
export type GivenRow = Tables["ledger_rows"] & {
  /** The model that a request without one named. It becomes its model if the ledger has rows of that. */
  readonly requested_model: string | null;
};

/** In the order of the table's columns. */
function toGivenRow(row: LedgerRow, write: WriteText): GivenRow {
  const requested = row.model === null ? (row.failure?.requestedModel ?? null) : null;
  const [first] = row.failedAttempts ?? [];
  return Object.assign(toColumns(row, write), {
    recovered_from: first === undefined ? null : write(first.upstream),
    requested_model: requested === null ? null : write(requested),
  });
}

function truncate(text: string): string {
  return text.length > textLengthMax ? text.slice(0, textLengthMax) : text;
}

function repair(text: string): string {
  return toStorable(text, textLengthMax);
}

/**
 * Many rows as one parameter: a table named `given` over the text of `writeJsonRows`. The statement is the same for one
 * row and for a thousand.
 *
 * @param columns In the order of the rows' properties.
 */
export function jsonRows<T extends object>(
  kind: DatabaseKind,
  rows: readonly T[],
  columns: { readonly [C in keyof T & string]: Column<T[C]> },
): AliasedRawBuilder<T, "given"> {
  const entries = Object.entries<Column<unknown>>(columns);
  const json = writeJsonRows(kind, rows);
  if (kind === "postgres") {
    const types = entries.map(([name, { type }]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<T>`json_to_recordset(${json}::json)`.as<"given">(sql`given (${sql.join(types)})`);
  }
  const values = entries.map(([name], index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
  // With a limit, SQLite does not merge the two selections. Merged, it writes the row as a text for each of its columns:
  // 24 instead of 10 µs for a row of the ledger.
  return sql<T>`(select ${sql.join(values)} from (select value from json_each(${json}) limit -1))`.as(
    "given",
  );
}

/** PostgreSQL reads objects. SQLite searches for each column separately, and finds an index twice as fast as a name. */
function writeJsonRows(kind: DatabaseKind, rows: readonly object[]): string {
  return JSON.stringify(kind === "postgres" ? rows : rows.map(Object.values));
}

/** Replaces the one JSON parameter of a compiled statement. */
export function withJson<T>(statement: CompiledQuery<T>, json: string): CompiledQuery<T> {
  return { ...statement, parameters: [json] };
}
