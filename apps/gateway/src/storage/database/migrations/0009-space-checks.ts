import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DatabaseKind } from "../tables.js";

/** The vector spaces, the vectors that are recorded for each, and how far those of each target are from them. */
export async function createSpaceChecks(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const text: RawBuilder<unknown> = kind === "postgres" ? sql`text collate "C"` : sql`text`;
  const bytes: RawBuilder<unknown> = kind === "postgres" ? sql`bytea` : sql`blob`;
  await kysely.schema
    .createTable("vector_spaces")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("accepted", "integer", (column) => column.notNull())
    .execute();
  await kysely.schema
    .createTable("space_references")
    .addColumn("space", text, (column) => column.notNull())
    .addColumn("input_type", text, (column) => column.notNull())
    .addColumn("texts_version", "integer", (column) => column.notNull())
    .addColumn("width", "integer", (column) => column.notNull())
    .addColumn("vectors", bytes, (column) => column.notNull())
    .addColumn("recorded_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("space_references_key", ["space", "input_type", "texts_version"])
    .execute();
  await kysely.schema
    .createTable("space_checks")
    .addColumn("space", text, (column) => column.notNull())
    .addColumn("upstream", text, (column) => column.notNull())
    .addColumn("model", text, (column) => column.notNull())
    .addColumn("lease_until", "bigint", (column) => column.notNull())
    .addColumn("checked_at", "bigint")
    .addColumn("input_type", text, (column) => column.notNull())
    .addColumn("texts_version", "integer", (column) => column.notNull())
    .addColumn("width", "integer")
    .addColumn("vectors", bytes)
    .addColumn("cosine_min", "double precision")
    .addPrimaryKeyConstraint("space_checks_key", ["space", "upstream", "model"])
    .execute();
}
