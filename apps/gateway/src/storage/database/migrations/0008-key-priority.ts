import type { Kysely } from "kysely";

/** How urgent the requests of a key are. The default is for replicas of the version before. */
export async function addKeyPriority(kysely: Kysely<unknown>): Promise<void> {
  await kysely.schema
    .alterTable("access_keys")
    .addColumn("priority", "text", (column) => column.notNull().defaultTo("interactive"))
    .execute();
}
