import { type AliasedRawBuilder, type CompiledQuery, sql } from "kysely";
import type { DatabaseKind } from "./database/migrate.js";

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
