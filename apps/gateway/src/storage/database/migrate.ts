import { hash } from "node:crypto";
import { DEFAULT_MIGRATION_TABLE, type Kysely, Migrator, sql } from "kysely";
import { createStatements, type DatabaseKind } from "./define-table.js";
import { type Tables, tables } from "./schema/tables.js";

/**
 * Creates the tables in an empty database, and refuses one with other tables. Replicas that start together take turns
 * through a PostgreSQL advisory lock. It belongs to a session, which a pooler may give to others, so a database that has
 * its tables is left alone.
 */
export async function migrate(kysely: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const statements = createStatements(tables, kind);
  const name = migrationName(statements);
  const applied = await migrationsIn(kysely);
  if (applied.length === 1 && applied[0] === name) return;
  const up = async (schema: Kysely<unknown>) => {
    for (const statement of statements) await sql.raw(statement).execute(schema);
  };
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ [name]: { up } }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const other = (await migrationsIn(kysely)).findLast((found) => found !== name);
  throw other === undefined ? error : otherSchema(other, kind);
}

/**
 * There is one migration until the first release. Its name follows from the tables, so that the tables of another commit
 * are refused and not used by mistake.
 */
function migrationName(statements: readonly string[]): string {
  return `0001-tables-${hash("sha256", statements.join(";\n"), "hex").slice(0, 8)}`;
}

/** The names of the migrations that were applied, in their order. */
async function migrationsIn(kysely: Kysely<Tables>): Promise<string[]> {
  const names = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`;
  return names
    .execute(kysely)
    .then(({ rows }) => rows.map(({ name }) => name))
    .catch(() => []);
}

/** Another commit or a later version created the tables. */
function otherSchema(migration: string, kind: DatabaseKind): Error {
  const remedy = {
    sqlite: "move or delete the data folder to start with an empty one",
    postgres: "let DATABASE_URL name an empty database",
  };
  return new Error(
    `another version of the gateway created its tables (${migration}). Run that version, or ${remedy[kind]}.`,
  );
}
