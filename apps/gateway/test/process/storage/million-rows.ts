import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../src/storage/database/open-database.js";
import { ledgerIndexes } from "../../../src/storage/database/schema/ledger-tables.js";
import { tables } from "../../../src/storage/database/schema/tables.js";
import { columnList, groupRows, rollupColumns } from "../../../src/storage/ledger/group-rows.js";

export const rowsCount = 1_000_000;
/** The start of a day. From here on there is one row every 2.5 seconds, for about 29 days. */
export const firstAt = Date.UTC(2026, 7, 1);
export const everyMs = 2500;

/** Number of rows with each duration in milliseconds. */
export const durationCounts = [
  [12.5, 990_000],
  [150, 9000],
  [1500, 900],
  [70_000, 100],
] as const;

/** The rows have fifty keys. Each of ten owners has five of them. */
export const ownerOf = (key: number) => `team-${key % 10}`;

/** Fills the ledger and its rollups inside the database: seconds instead of the minutes that adding rows would take. */
export async function addMillionRows(database: Database): Promise<void> {
  const { kysely, kind } = database;
  const isPostgres = kind === "postgres";
  // The data need not survive a crash, and the write-ahead log would double the time.
  if (isPostgres) await sql`alter table ledger_rows set unlogged`.execute(kysely);
  for (const index of ledgerIndexes.keys()) await kysely.schema.dropIndex(index).execute();
  const numbers = isPostgres
    ? sql`generate_series(0::bigint, ${sql.lit(rowsCount - 1)}::bigint) as numbers (n)`
    : sql`(with recursive counted (n) as (select 0 union all select n + 1 from counted where n < ${sql.lit(rowsCount - 1)})
        select n from counted) as numbers`;
  const values: Readonly<Record<string, RawBuilder<unknown>>> = {
    id: isPostgres ? sql`lpad(cast(n as text), 8, '0')` : sql`printf('%08d', n)`,
    at: sql`${sql.lit(firstAt)} + n * ${sql.lit(everyMs)}`,
    key_id: sql`'key_' || (n % 50)`,
    key_name: sql`'name'`,
    operation: sql`case when n % 10 = 0 then 'createImage' else 'createEmbedding' end`,
    model: sql`case when n % 100 = 3 then 'rare' else 'model-' || (n % 5) end`,
    upstream: sql`case when n % 500 = 1 then 'rare' else 'up' end`,
    attempts: sql`1`,
    status: sql`case when n % 1000 = 0 then 500 when n % 50 = 1 then 429 else 200 end`,
    input_tokens: sql`10`,
    cost_nanos: sql`100`,
    ms: sql`case when n % 10000 = 7 then 70000.0 when n % 1000 = 7 then 1500.0 when n % 100 = 7 then 150.0 else 12.5 end`,
    request_bytes: sql`100`,
    response_bytes: sql`1000`,
    cache: sql`case when n % 1000 = 5 then 'hit' end`,
    error_code: sql`case when n % 1000 = 0 then 'upstream_error' end`,
    cached_inputs: sql`case when n % 1000 = 5 then 2 else 0 end`,
    saved_nanos: sql`case when n % 1000 = 5 then 20 end`,
    failure: sql`case when n % 1000 = 0 or n % 50 = 1 then '{"message":"The upstream is throttling requests for this model.","param":null,"requestedModel":"model-1","attempts":[]}' end`,
    failed_attempts: sql`case when n % 200 = 9 then '[{"upstream":"shaky","model":"m","status":503,"ms":12.5,"reason":"The upstream is overloaded."}]' end`,
    recovered_from: sql`case when n % 2000 = 9 then 'shaky' when n % 200 = 9 then 'often' end`,
  };
  const stored = Object.entries(tables.ledger_rows.columns).map(
    ([column, { isNullable }]) => values[column] ?? (isNullable ? sql`null` : sql`0`),
  );
  await sql`insert into ledger_rows select ${sql.join(stored)} from ${numbers}`.execute(kysely);
  for (const createIndex of ledgerIndexes.values()) await sql.raw(createIndex).execute(kysely);
  const columns = columnList(rollupColumns);
  for (const [table, stepMs] of [
    ["usage_hours", 3_600_000],
    ["usage_days", 86_400_000],
  ] as const)
    await sql`insert into ${sql.table(table)} (${columns}) ${groupRows(sql`ledger_rows`, stepMs)}`.execute(
      kysely,
    );
  const keys = Array.from(
    { length: 50 },
    (_, key) =>
      sql`(${`key_${key}`}, 'name', ${ownerOf(key)}, 0, 0, ${Buffer.from([key])}, 'wxyz', '{}', 'interactive', 0)`,
  );
  await sql`insert into access_keys
      (id, name, owner, revision, created_at, digest, last_four, limits, priority, is_disabled)
    values ${sql.join(keys)}`.execute(kysely);
  for (const table of ["ledger_rows", "usage_hours", "usage_days", "access_keys"])
    await sql`analyze ${sql.table(table)}`.execute(kysely);
}
