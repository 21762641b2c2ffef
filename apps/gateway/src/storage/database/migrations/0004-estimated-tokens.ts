import type { Kysely } from "kysely";

/** Whether the tokens of a row are the gateway's estimate. The default is for replicas of the version before. */
export async function addEstimatedTokens(kysely: Kysely<unknown>): Promise<void> {
  await kysely.schema
    .alterTable("ledger_rows")
    .addColumn("tokens_estimated", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
