import { type CreateTableBuilder, type Kysely, type RawBuilder, type SchemaModule, sql } from "kysely";
import type { DatabaseKind } from "../tables.js";

/** A duration filter reads the index of the largest of these that is not above it. */
export const indexedDurationsMs = [100, 1000, 10_000] as const;

const durationColumns = Array.from({ length: 62 }, (_, bucket) => `duration_${bucket}`);
const keptColumns = [
  "starts_at",
  "key_id",
  "model",
  "operation",
  "key_name",
  "requests",
  "failures",
  "input_tokens",
  "output_tokens",
  "images",
  "cost_nanos",
  "unpriced",
] as const;

/**
 * The rollups by upstream, with the durations of the requests in buckets, and an index for each new filter of the list of
 * requests. What was summed before has no upstream and no durations.
 */
export async function addUsageByUpstream(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const text: RawBuilder<unknown> = kind === "postgres" ? sql`text collate "C"` : sql`text`;
  for (const table of ["usage_hours", "usage_days"]) await rebuildRollup(kysely, table, text);
  await createFilterIndexes(kysely.schema);
}

/** SQLite cannot change a primary key, so the rows are copied. They are few compared with those of the ledger. */
async function rebuildRollup(
  kysely: Kysely<unknown>,
  table: string,
  text: RawBuilder<unknown>,
): Promise<void> {
  const { schema } = kysely;
  const rebuilt = `${table}_rebuilt`;
  await withDurationColumns(withUsageColumns(schema.createTable(rebuilt), text))
    .addPrimaryKeyConstraint(`${table}_by_time_and_group`, [
      "starts_at",
      "key_id",
      "model",
      "operation",
      "upstream",
    ])
    .execute();
  const columns = sql.join(keptColumns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(rebuilt)} (${columns}) select ${columns} from ${sql.table(table)}`.execute(
    kysely,
  );
  await schema.dropTable(table).execute();
  await schema.alterTable(rebuilt).renameTo(table).execute();
  await schema.createIndex(`${table}_by_key`).on(table).columns(["key_id", "starts_at"]).execute();
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
    .addColumn("upstream", text, (column) => column.notNull().defaultTo(""))
    .addColumn("key_name", text, (column) => column.notNull())
    .addColumn("requests", "bigint", (column) => column.notNull())
    .addColumn("failures", "bigint", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("images", "bigint", (column) => column.notNull())
    .addColumn("cost_nanos", "bigint", (column) => column.notNull())
    .addColumn("unpriced", "bigint", (column) => column.notNull());
}

/** Null instead of 0: a null takes no room, and most buckets of a row are empty. */
function withDurationColumns(table: CreateTableBuilder<string, string>): CreateTableBuilder<string, string> {
  return durationColumns.reduce((all, column) => all.addColumn(column, "bigint"), table);
}

/** Partial indexes: a fast request that succeeds and has no cache is in that of its upstream alone. */
export async function createFilterIndexes(schema: SchemaModule): Promise<void> {
  for (const column of ["upstream", "cache"]) {
    await schema
      .createIndex(`ledger_rows_by_${column}`)
      .on("ledger_rows")
      .columns([column, "at", "id"])
      .where(sql.ref(column), "is not", null)
      .execute();
  }
  const conditions: [string, RawBuilder<unknown>][] = [
    ["ledger_rows_by_failure", sql`status >= 400`],
    ...indexedDurationsMs.map((ms): [string, RawBuilder<unknown>] => [
      `ledger_rows_by_duration_${ms}`,
      sql`ms >= ${sql.lit(ms)}`,
    ]),
  ];
  for (const [name, condition] of conditions)
    await schema
      .createIndex(name)
      .on("ledger_rows")
      .columns(["at", "id"])
      .where(condition as RawBuilder<boolean>)
      .execute();
}
