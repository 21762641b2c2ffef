import type { Kysely } from "kysely";

/**
 * How many inputs the cache has answered, and what they would have cost: null where nothing was cached, or where that is
 * unknown. The default is for replicas of the version before.
 */
export async function addCacheSavings(kysely: Kysely<unknown>): Promise<void> {
  for (const table of ["ledger_rows", "usage_hours", "usage_days"]) {
    await kysely.schema
      .alterTable(table)
      .addColumn("cached_inputs", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await kysely.schema.alterTable(table).addColumn("saved_nanos", "bigint").execute();
  }
}
