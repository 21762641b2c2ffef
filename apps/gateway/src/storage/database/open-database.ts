import { join } from "node:path";
import { Kysely, Migrator } from "kysely";
import { GatewayError } from "../../errors.js";
import { createKeysAndLedger } from "./migrations/0001-keys-and-ledger.js";
import { createStoredAnswers } from "./migrations/0002-stored-answers.js";
import { createSqliteDialect } from "./sqlite-dialect.js";
import type { DatabaseKind, Tables } from "./tables.js";

/** The one database of the gateway. Whatever differs between the two kinds asks for `kind`. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  readonly kind: DatabaseKind;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://...`. Without it, a SQLite file in the data folder. */
  readonly url?: string;
  readonly dataDir: string;
  /** Told of what no caller waits for, such as a connection that broke while it was idle. */
  readonly onFailure: (failure: unknown) => void;
  /** For tests; else what suits a gateway. */
  readonly bounds?: Partial<DatabaseBounds>;
}

/** What a database may take of time and place. */
export interface DatabaseBounds {
  readonly connectionsMax: number;
  readonly waitingMax: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

const defaultBounds: DatabaseBounds = {
  connectionsMax: 10,
  waitingMax: 1000,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 10_000,
};

/** Opens the database and brings its schema up to date. Rejects with a sentence for whoever starts the gateway. */
export async function openDatabase({ url, dataDir, onFailure, bounds }: DatabaseOptions): Promise<Database> {
  const limits = { ...defaultBounds, ...bounds };
  const file = join(dataDir, "gateway.db");
  const kind = url === undefined ? "sqlite" : "postgres";
  const dialect =
    url === undefined
      ? createSqliteDialect({ file, waitingMax: limits.waitingMax })
      : (await import("./postgres-dialect.js")).createPostgresDialect({ url, onFailure, ...limits });
  const kysely = new Kysely<Tables>({ dialect });
  try {
    await migrate(kysely, kind);
  } catch (failure) {
    await kysely.destroy();
    throw new DatabaseOpenError(url === undefined ? file : placeOf(url), failure);
  }
  return { kysely, kind, close: () => kysely.destroy() };
}

/** The database cannot be used as it was configured; the message is all that a person needs. */
export class DatabaseOpenError extends Error {
  readonly code = "database_open";

  constructor(place: string, failure: unknown) {
    super(`The database ${place} cannot be opened: ${reasonOf(failure)}`, { cause: failure });
    this.name = "DatabaseOpenError";
  }
}

/** Never the user or the password. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return "of DATABASE_URL";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(failure: unknown): string {
  if (failure instanceof GatewayError && failure.cause !== undefined) return reasonOf(failure.cause);
  if (failure instanceof AggregateError) return failure.errors.map(reasonOf).join("; ");
  return failure instanceof Error ? failure.message : String(failure);
}

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
