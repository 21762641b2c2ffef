import { sql } from "kysely";
import { createLedgerIndexes } from "../../src/storage/database/migrations/0001-keys-and-ledger.js";
import type { Database } from "../../src/storage/database/open-database.js";

export const rowsCount = 1_000_000;
/** The start of a day. From here on there is one row every 2.5 seconds, for about 29 days. */
export const firstAt = Date.UTC(2026, 7, 1);
export const everyMs = 2500;

/** Fills the ledger and its rollups inside the database: seconds instead of the minutes that adding rows would take. */
export async function addMillionRows(database: Database): Promise<void> {
  const { kysely, kind } = database;
  const isPostgres = kind === "postgres";
  // The data need not survive a crash, and the write-ahead log would double the time.
  if (isPostgres) await sql`alter table ledger_rows set unlogged`.execute(kysely);
  for (const index of ["time", "key_id", "model", "operation", "status", "error_code"])
    await kysely.schema.dropIndex(`ledger_rows_by_${index}`).execute();
  const numbers = isPostgres
    ? sql`generate_series(0::bigint, ${sql.lit(rowsCount - 1)}::bigint) as numbers (n)`
    : sql`(with recursive counted (n) as (select 0 union all select n + 1 from counted where n < ${sql.lit(rowsCount - 1)})
        select n from counted) as numbers`;
  const id = isPostgres ? sql`lpad(cast(n as text), 8, '0')` : sql`printf('%08d', n)`;
  await sql`insert into ledger_rows select ${id}, ${sql.lit(firstAt)} + n * ${sql.lit(everyMs)}, 'key_' || (n % 50), 'name',
      case when n % 10 = 0 then 'createImage' else 'createEmbedding' end, case when n % 100 = 3 then 'rare' else 'model-' || (n % 5) end, 'up', 1,
      case when n % 1000 = 0 then 500 else 200 end, 10, 0, 0, 100, 12.5, 100, 1000, null,
      case when n % 1000 = 0 then 'upstream_error' end
    from ${numbers}`.execute(kysely);
  await createLedgerIndexes(kysely.schema);
  await sql`insert into usage_hours select at - at % 3600000 as starts_at, key_id, model, operation, max(key_name), count(*),
      sum(case when status >= 400 then 1 else 0 end), sum(input_tokens), 0, 0, sum(cost_nanos), 0
    from ledger_rows group by 1, key_id, model, operation`.execute(kysely);
  await sql`insert into usage_days select starts_at - starts_at % 86400000 as day, key_id, model, operation, max(key_name),
      sum(requests), sum(failures), sum(input_tokens), 0, 0, sum(cost_nanos), 0
    from usage_hours group by 1, key_id, model, operation`.execute(kysely);
  for (const table of ["ledger_rows", "usage_hours", "usage_days"])
    await sql`analyze ${sql.table(table)}`.execute(kysely);
}
