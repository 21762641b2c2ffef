import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DatabaseKind } from "../tables.js";

/** The budget alerts that webhooks were told of. */
export async function createBudgetAlerts(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const text: RawBuilder<unknown> = kind === "postgres" ? sql`text collate "C"` : sql`text`;
  await kysely.schema
    .createTable("budget_alerts")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("lease_until", "bigint", (column) => column.notNull())
    .addColumn("told_at", "bigint")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
}
