import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DatabaseKind } from "../tables.js";

/** Responses stored under their Idempotency-Key, and the locks to create them. */
export async function createStoredAnswers(kysely: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { schema } = kysely;
  const text: RawBuilder<unknown> = kind === "postgres" ? sql`text collate "C"` : sql`text`;

  await schema
    .createTable("stored_answers")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("written_at", "bigint", (column) => column.notNull())
    .addColumn("bytes", "bigint", (column) => column.notNull())
    // The last column, so that the others are read without it: it can hold tens of megabytes.
    .addColumn("content", text, (column) => column.notNull())
    .execute();
  await schema
    .createIndex("stored_answers_by_time")
    .on("stored_answers")
    .columns(["written_at", "id", "bytes"])
    .execute();
  // Images are already compressed.
  if (kind === "postgres")
    await sql`alter table stored_answers alter column content set storage external`.execute(kysely);
  await sql`insert into revisions (name, value) values ('stored_answers', 0)`.execute(kysely);

  await schema
    .createTable("answer_claims")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("fingerprint", text, (column) => column.notNull())
    .addColumn("holder", text, (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("failure", text)
    .execute();
}
