import { type AliasedRawBuilder, type CompiledQuery, sql } from "kysely";
import type { DatabaseKind } from "./database/migrate.js";

type ColumnType = "text" | "bigint" | "double precision";

/**
 * Many rows as one parameter: a table called `given` over an array of JSON objects. A statement is the same for one row
 * and for a thousand, and goes to the database in one piece.
 */
export function jsonRows<T extends object>(
  kind: DatabaseKind,
  json: string,
  columns: { readonly [C in keyof T & string]: ColumnType },
): AliasedRawBuilder<T, "given"> {
  const entries = Object.entries<ColumnType>(columns);
  if (kind === "postgres") {
    const types = entries.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<T>`json_to_recordset(${json}::json)`.as<"given">(sql`given (${sql.join(types)})`);
  }
  const values = entries.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql<T>`(select ${sql.join(values)} from json_each(${json}))`.as("given");
}

/** A statement whose one parameter is such JSON, with other rows: it need not be written anew for each of them. */
export function withJson<T>(statement: CompiledQuery<T>, json: string): CompiledQuery<T> {
  return { ...statement, parameters: [json] };
}
