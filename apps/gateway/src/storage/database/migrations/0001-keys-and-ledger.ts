import { type CreateTableBuilder, type Kysely, type RawBuilder, type SchemaModule, sql } from "kysely";
import type { DatabaseKind } from "../tables.js";

/** Keys, settings, the ledger with an index for each filter of its list, and its rollups by hour and day. */
export async function createKeysAndLedger(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { schema } = kysely;
  // Byte order, as in SQLite: it is faster, and no update of the operating system can change it.
  const text: RawBuilder<unknown> = kind === "postgres" ? sql`text collate "C"` : sql`text`;
  const bytes: RawBuilder<unknown> = kind === "postgres" ? sql`bytea` : sql`blob`;

  await schema
    .createTable("access_keys")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("revision", "bigint", (column) => column.notNull())
    .addColumn("digest", bytes, (column) => column.notNull().unique())
    .addColumn("last_four", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("owner", text)
    .addColumn("models", text)
    .addColumn("limits", text, (column) => column.notNull())
    .addColumn("budget", text)
    .addColumn("expires_at", "bigint")
    .addColumn("is_disabled", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await schema.createIndex("access_keys_by_revision").on("access_keys").column("revision").execute();
  await schema.createIndex("access_keys_by_time").on("access_keys").columns(["created_at", "id"]).execute();

  await schema
    .createTable("revisions")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("value", "bigint", (column) => column.notNull())
    .execute();
  await sql`insert into revisions (name, value) values ('access_keys', 0)`.execute(kysely);

  await schema
    .createTable("settings")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .execute();

  await schema
    .createTable("ledger_rows")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("key_id", text, (column) => column.notNull())
    .addColumn("key_name", text, (column) => column.notNull())
    .addColumn("operation", text, (column) => column.notNull())
    .addColumn("model", text)
    .addColumn("upstream", text)
    .addColumn("attempts", "bigint", (column) => column.notNull())
    .addColumn("status", "bigint", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("images", "bigint", (column) => column.notNull())
    .addColumn("cost_nanos", "bigint")
    .addColumn("ms", "double precision", (column) => column.notNull())
    .addColumn("request_bytes", "bigint", (column) => column.notNull())
    .addColumn("response_bytes", "bigint", (column) => column.notNull())
    .addColumn("cache", text)
    .addColumn("error_code", text)
    .execute();
  await createLedgerIndexes(schema);

  for (const table of ["usage_hours", "usage_days"]) {
    await withUsageColumns(schema.createTable(table), text)
      .addPrimaryKeyConstraint(`${table}_by_time`, ["starts_at", "key_id", "model", "operation"])
      .execute();
    await schema.createIndex(`${table}_by_key`).on(table).columns(["key_id", "starts_at"]).execute();
  }
}

/** One index for each filter of the list, in the order of the list. */
export async function createLedgerIndexes(schema: SchemaModule): Promise<void> {
  await schema.createIndex("ledger_rows_by_time").on("ledger_rows").columns(["at", "id"]).execute();
  for (const column of ["key_id", "model", "operation", "status"]) {
    await schema
      .createIndex(`ledger_rows_by_${column}`)
      .on("ledger_rows")
      .columns([column, "at", "id"])
      .execute();
  }
  // Most rows have no error code, and no query searches for those.
  await schema
    .createIndex("ledger_rows_by_error_code")
    .on("ledger_rows")
    .columns(["error_code", "at", "id"])
    .where(sql.ref("error_code"), "is not", null)
    .execute();
}

function withUsageColumns(
  table: CreateTableBuilder<string>,
  text: RawBuilder<unknown>,
): CreateTableBuilder<string, string> {
  return table
    .addColumn("starts_at", "bigint", (column) => column.notNull())
    .addColumn("key_id", text, (column) => column.notNull())
    .addColumn("model", text, (column) => column.notNull())
    .addColumn("operation", text, (column) => column.notNull())
    .addColumn("key_name", text, (column) => column.notNull())
    .addColumn("requests", "bigint", (column) => column.notNull())
    .addColumn("failures", "bigint", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("images", "bigint", (column) => column.notNull())
    .addColumn("cost_nanos", "bigint", (column) => column.notNull())
    .addColumn("unpriced", "bigint", (column) => column.notNull());
}
