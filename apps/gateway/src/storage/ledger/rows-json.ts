import { type AliasedRawBuilder, type CompiledQuery, sql } from "kysely";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { toStorable } from "../database/cursor.js";
import type { DatabaseKind, LedgerRowTable } from "../database/tables.js";

const textLengthMax = 256;

/**
 * The rows as the statements of the ledger take them. The ledger must not stand still for one strange letter, long name or broken
 * number: what cannot be stored is mended.
 */
export function writeLedgerJson(kind: DatabaseKind, rows: readonly LedgerRow[]): string {
  const json = writeJsonRows(
    kind,
    rows.map((row) => toColumns(row, cut)),
  );
  // One look at the whole is cheaper than one at every text. Such letters are always escaped.
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return writeJsonRows(
    kind,
    rows.map((row) => toColumns(row, mend)),
  );
}

type WriteText = (text: string) => string;

/** In the order of the columns in `ledger-statements.ts`. */
function toColumns(row: LedgerRow, write: WriteText): LedgerRowTable {
  return {
    id: write(row.id),
    at: whole(row.at),
    key_id: write(row.keyId),
    key_name: write(row.keyName),
    operation: row.operation,
    model: row.model === null ? null : write(row.model),
    upstream: row.upstream === null ? null : write(row.upstream),
    attempts: whole(row.attempts),
    status: whole(row.status),
    input_tokens: whole(row.inputTokens),
    output_tokens: whole(row.outputTokens),
    images: whole(row.images),
    cost_nanos: row.costNanos === null ? null : whole(row.costNanos),
    ms: Number.isFinite(row.ms) ? row.ms : 0,
    request_bytes: whole(row.requestBytes),
    response_bytes: whole(row.responseBytes),
    cache: row.cache,
    error_code: row.errorCode === null ? null : write(row.errorCode),
  };
}

function cut(text: string): string {
  return text.length > textLengthMax ? text.slice(0, textLengthMax) : text;
}

function mend(text: string): string {
  return toStorable(text, textLengthMax);
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}

type ColumnType = "text" | "bigint" | "double precision";

/**
 * Many rows as one parameter: a table called `given` over what `writeJsonRows` has written. A statement is the same for
 * one row and for a thousand, and goes to the database in one piece.
 *
 * @param columns In the order that the rows have them in.
 */
export function jsonRows<T extends object>(
  kind: DatabaseKind,
  rows: readonly T[],
  columns: { readonly [C in keyof T & string]: ColumnType },
): AliasedRawBuilder<T, "given"> {
  const entries = Object.entries<ColumnType>(columns);
  const json = writeJsonRows(kind, rows);
  if (kind === "postgres") {
    const types = entries.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<T>`json_to_recordset(${json}::json)`.as<"given">(sql`given (${sql.join(types)})`);
  }
  const values = entries.map(([name], place) => sql`value ->> ${sql.lit(place)} as ${sql.ref(name)}`);
  return sql<T>`(select ${sql.join(values)} from json_each(${json}))`.as("given");
}

/**
 * PostgreSQL takes objects apart by itself. SQLite looks for each column anew, and finds a place in a list in half the
 * time that a name takes.
 */
export function writeJsonRows(kind: DatabaseKind, rows: readonly object[]): string {
  return JSON.stringify(kind === "postgres" ? rows : rows.map(Object.values));
}

/** A statement whose one parameter is such JSON, with other rows: it need not be written anew for each of them. */
export function withJson<T>(statement: CompiledQuery<T>, json: string): CompiledQuery<T> {
  return { ...statement, parameters: [json] };
}
