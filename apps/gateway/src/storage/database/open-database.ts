import { join } from "node:path";
import { Kysely, Migrator } from "kysely";
import { GatewayError } from "../../errors.js";
import { createKeysAndLedger } from "./migrations/0001-keys-and-ledger.js";
import { createStoredAnswers } from "./migrations/0002-stored-answers.js";
import { createBudgetAlerts } from "./migrations/0003-budget-alerts.js";
import { createSqliteDialect } from "./sqlite-dialect.js";
import type { DatabaseKind, Tables } from "./tables.js";

/** The database of the gateway. Code that differs between SQLite and PostgreSQL checks `kind`. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  readonly kind: DatabaseKind;
  /** Waits for statements in flight. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://...`. Without it, a SQLite file in the data folder. */
  readonly url?: string;
  readonly dataDir: string;
  /** Called with failures that no request waits for, such as an idle connection that broke. */
  readonly onFailure: (failure: unknown) => void;
  /** Overrides the defaults, in tests. */
  readonly bounds?: Partial<DatabaseBounds>;
}

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

/** Opens the database and migrates its schema. Rejects with a message for the operator. */
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
    throw new DatabaseOpenError(url === undefined ? file : addressOf(url), failure);
  }
  return { kysely, kind, close: () => kysely.destroy() };
}

/** The database cannot be used as configured. Its message is shown to the operator without a stack. */
export class DatabaseOpenError extends Error {
  readonly code = "database_open";

  constructor(address: string, failure: unknown) {
    super(`The database ${address} cannot be opened: ${reasonOf(failure)}`, { cause: failure });
    this.name = "DatabaseOpenError";
  }
}

/** Without user and password. */
function addressOf(url: string): string {
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
 * Migrates the schema. Replicas that start together take turns through an advisory lock of PostgreSQL. A migration that
 * fails leaves nothing behind. Never change a released migration.
 */
export async function migrate(kysely: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const migrator = new Migrator({
    db: kysely,
    provider: {
      getMigrations: async () => ({
        "0001-keys-and-ledger": { up: (schema) => createKeysAndLedger(schema, kind) },
        "0002-stored-answers": { up: (schema) => createStoredAnswers(schema, kind) },
        "0003-budget-alerts": { up: (schema) => createBudgetAlerts(schema, kind) },
      }),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
