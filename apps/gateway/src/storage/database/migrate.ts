import { type Kysely, Migrator } from "kysely";
import { createKeysAndLedger } from "./migrations/0001-keys-and-ledger.js";
import { createStoredAnswers } from "./migrations/0002-stored-answers.js";
import type { Tables } from "./tables.js";

export type DatabaseKind = "sqlite" | "postgres";

/**
 * Brings the schema up to date. Replicas that start at once take turns, by an advisory lock of PostgreSQL; what fails
 * half-way leaves nothing behind. A migration that has been released is never changed again.
 */
export async function migrate(kysely: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const migrator = new Migrator({
    db: kysely,
    provider: {
      getMigrations: async () => ({
        "0001-keys-and-ledger": { up: (schema) => createKeysAndLedger(schema, kind) },
        "0002-stored-answers": { up: (schema) => createStoredAnswers(schema, kind) },
      }),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
