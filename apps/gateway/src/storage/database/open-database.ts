import { join } from "node:path";
import { GatewayError } from "@model-gateway/domain/errors";
import { isFromFullDisk } from "@model-gateway/domain/failure-code";
import { type CompiledQuery, Kysely } from "kysely";
import {
  alwaysAvailable,
  type DatabaseAvailability,
  DatabaseWatch,
  type DatabaseWatchOptions,
} from "./database-watch.js";
import type { DatabaseKind } from "./define-table.js";
import { DiskHeadroom } from "./disk-headroom.js";
import { migrate } from "./migrate.js";
import type { GuardWork } from "./postgres-dialect.js";
import type { Tables } from "./schema/tables.js";
import { createSqliteDialect, markLookups } from "./sqlite-dialect.js";
import { type StartSqliteWorker, startSqliteWorker } from "./sqlite-thread.js";

/** The database of the gateway. Code that differs between SQLite and PostgreSQL checks `kind`. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  /** The same, for reads that take a moment: by an index, or of a small table. On SQLite they need no thread. */
  readonly lookups: Kysely<Tables>;
  readonly kind: DatabaseKind;
  /**
   * Lets each connection to PostgreSQL parse and plan a statement once. For long statements with a fixed text: every
   * connection keeps every one of them.
   */
  prepare(statement: CompiledQuery): void;
  /** Waits for statements in flight. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** `postgres://...`. Without it, a SQLite file in the data folder. */
  readonly url?: string;
  readonly dataDir: string;
  /** Called with failures that no request waits for, such as an idle connection that broke. */
  readonly onFailure: (failure: unknown) => void;
  /** Overrides the defaults, in tests. */
  readonly bounds?: Partial<DatabaseBounds>;
  /** Fails work at once while the database is down. */
  readonly guard?: GuardWork;
}

export interface DatabaseBounds {
  readonly connectionsMax: number;
  /** Threads that read a SQLite file, beside the one that writes. */
  readonly readersMax: number;
  /** Starts these threads. */
  readonly startWorker: StartSqliteWorker;
  readonly waitingMax: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

const defaultBounds: DatabaseBounds = {
  connectionsMax: 10,
  readersMax: 2,
  startWorker: startSqliteWorker,
  waitingMax: 1000,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 10_000,
};

/** An index on a ledger of a hundred million rows takes minutes. */
const migrationBounds = { connectionsMax: 1, statementTimeoutMs: 3_600_000 };

/** Opens the database, and creates its tables if it is empty. Rejects with a message for the operator. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await createDatabase(options);
  try {
    await migrate(database.kysely, database.kind);
  } catch (failure) {
    await database.close();
    throw new DatabaseOpenError(options, failure);
  }
  return database;
}

/** The database as it is. Nothing is connected yet. */
async function createDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, onFailure, guard = (begin) => begin() } = options;
  const limits = { ...defaultBounds, ...options.bounds };
  const prepared = new Map<string, string>();
  const dialect =
    url === undefined
      ? createSqliteDialect({ file: fileOf(options), guard, ...limits })
      : (await import("./postgres-dialect.js")).createPostgresDialect({
          url,
          onFailure,
          guard,
          prepared,
          ...limits,
        });
  const kysely = new Kysely<Tables>({ dialect });
  return {
    kysely,
    lookups: url === undefined ? kysely.withPlugin(markLookups) : kysely,
    kind: url === undefined ? "sqlite" : "postgres",
    prepare: ({ sql: text }) => {
      if (!prepared.has(text)) prepared.set(text, `gateway_${prepared.size}`);
    },
    close: () => kysely.destroy(),
  };
}

/** Opens a SQLite file. If the disk is full, and releasing the headroom does not help, it is down until there is room. */
export async function openDatabaseFile(
  options: Omit<DatabaseOptions, "url">,
  events: Pick<DatabaseWatchOptions, "onChange" | "onJoinFailed">,
): Promise<WatchedDatabase> {
  const headroom = new DiskHeadroom(options.dataDir);
  try {
    const database = await openDatabase(options);
    await headroom.create();
    return { database, availability: alwaysAvailable };
  } catch (failure) {
    if (!isFromFullDisk(failure)) throw failure;
    if (await headroom.release()) return openDatabaseFile(options, events);
  }
  const probe = { run: async () => undefined, reset: () => undefined };
  const watch = new DatabaseWatch({ ...events, probe, times: { everyMs: reopenEveryMs } });
  return openWatched(options, watch);
}

/** Opening a file starts a thread. */
const reopenEveryMs = 5000;

interface WatchedDatabase {
  readonly database: Database;
  readonly availability: DatabaseAvailability;
}

/** Opens a PostgreSQL that may be down, now or later. Rejects only if it is there and cannot be used. */
export async function watchDatabase(
  options: DatabaseOptions & { readonly url: string },
  events: Pick<DatabaseWatchOptions, "onChange" | "onJoinFailed">,
): Promise<WatchedDatabase> {
  const { createPostgresProbe } = await import("./postgres-dialect.js");
  return openWatched(options, new DatabaseWatch({ ...events, probe: createPostgresProbe(options.url) }));
}

async function openWatched(options: DatabaseOptions, watch: DatabaseWatch): Promise<WatchedDatabase> {
  const database = await createDatabase({ ...options, guard: (begin) => watch.guard(begin) });
  const close = async () => {
    watch.close();
    await database.close();
  };
  try {
    // On a separate connection: work on this database fails until it is migrated.
    await watch.open(async () => (await openDatabase({ ...options, bounds: migrationBounds })).close());
  } catch (failure) {
    await close();
    throw failure instanceof DatabaseOpenError ? failure : new DatabaseOpenError(options, failure);
  }
  return { database: { ...database, close }, availability: watch };
}

function fileOf({ dataDir }: DatabaseOptions): string {
  return join(dataDir, "gateway.db");
}

/** The database cannot be used as configured. Its message is shown to the operator without a stack. */
class DatabaseOpenError extends Error {
  readonly code = "database_open";

  constructor(options: DatabaseOptions, failure: unknown) {
    const address = options.url === undefined ? fileOf(options) : addressOf(options.url);
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
