import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DatabaseKind } from "../tables.js";

/** The sessions that were created and have not ended. */
export async function createSessions(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const text: RawBuilder<unknown> = kind === "postgres" ? sql`text collate "C"` : sql`text`;
  const bytes: RawBuilder<unknown> = kind === "postgres" ? sql`bytea` : sql`blob`;
  await kysely.schema
    .createTable("sessions")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("digest", bytes, (column) => column.notNull().unique())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("granted_by", text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await kysely.schema
    .createIndex("sessions_by_grant")
    .on("sessions")
    .columns(["granted_by", "created_at", "id"])
    .execute();
  await kysely.schema.createIndex("sessions_by_expiry").on("sessions").column("expires_at").execute();
}
