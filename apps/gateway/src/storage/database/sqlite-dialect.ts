import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { storageUnavailable } from "@model-gateway/domain/errors";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type KyselyPlugin,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { GuardWork } from "./postgres-dialect.js";
import { type SqliteResult, SqliteThread, type StartSqliteWorker } from "./sqlite-thread.js";

const readerPragmas = ["busy_timeout = 5000", "query_only = on"];
const writerPragmas = [
  "busy_timeout = 5000",
  // It stays with the file. A second connection that sets it at the same moment may fail, and does not wait.
  "journal_mode = wal",
  "synchronous = normal",
  "foreign_keys = on",
  // Enough rows to choose the better index, and still only milliseconds.
  "analysis_limit = 400",
  // The log shrinks again after a long read has kept it from being checkpointed.
  `journal_size_limit = ${64 * 1024 * 1024}`,
];

interface SqliteOptions {
  readonly file: string;
  /** Number of statements that may wait for a thread; more are refused. */
  readonly waitingMax: number;
  /** Number of threads that read. */
  readonly readersMax: number;
  readonly startWorker: StartSqliteWorker;
  /** Fails work at once while the file has no tables yet, for want of room. */
  readonly guard: GuardWork;
}

/** Lookups that the writer does one after the other before a write may go. */
const sharedReadsMax = 8;

/**
 * SQLite in worker threads, so that no statement blocks the event loop: one for writes, and some for reads. The writer
 * does lookups itself until one meets a write, or another read comes. So an idle gateway has one thread, and each takes
 * 8 MB and 60 to 90 ms of a start (decision 0015).
 */
export function createSqliteDialect(options: SqliteOptions): Dialect {
  return {
    createDriver: () => new SqliteThreads(options),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely: Kysely<unknown>) => new SqliteIntrospector(kysely),
  };
}

/** Marks reads that take a moment: by an index, or of a small table. Any other read may take seconds. */
export const markLookups: KyselyPlugin = {
  transformQuery: ({ node }) => (node.kind === "SelectQueryNode" ? { ...node, isLookup: true } : node),
  transformResult: async ({ result }) => result,
};

/** The reads of Kysely's migrator, which removes all plugins. */
const migratorReads = /"(?:sqlite_master|kysely_migration|kysely_migration_lock)"/;

/** SQLite rolls back schema changes, so a failed migration leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteThreads implements Driver {
  readonly #options: SqliteOptions;
  readonly #writerLock = new Semaphore(1);
  #waiting = 0;
  #writer: SqliteThread | undefined;
  /** Lookups that share the writer now. Together they hold its lock. */
  #sharedReads = 0;
  #readers: SqliteThread[] = [];
  #isClosed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { file } = this.#options;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite gives the files beside it the same permissions.
    closeSync(openSync(file, "a", 0o600));
    this.#writer = this.#start(writerPragmas);
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#options.guard(async () => new SqliteConnection(this));
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.end("commit");
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.end("rollback");
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#readers.map((reader) => reader.close()));
    if (this.#writer === undefined) return;
    // Optional: statistics for the query planner of the next start.
    await this.#writer.run("pragma optimize", []).catch(() => undefined);
    // The last connection to close checkpoints the log into the file.
    await this.#writer.close();
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    return this.#reader().run(sql, parameters);
  }

  async lookUp(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    if (!this.#tryShareWriter()) return this.read(sql, parameters);
    try {
      return await this.#openWriter().run(sql, parameters);
    } finally {
      this.#sharedReads -= 1;
      if (this.#sharedReads === 0) this.#writerLock.release();
    }
  }

  /** Whether the writer can do a lookup now, beside others. Writes that wait go first. */
  #tryShareWriter(): boolean {
    if (this.#readers.some(({ isClosed }) => !isClosed)) return false;
    const canShare =
      this.#sharedReads === 0
        ? this.#writerLock.tryAcquire()
        : this.#waiting === 0 && this.#sharedReads < sharedReadsMax;
    if (canShare) this.#sharedReads += 1;
    return canShare;
  }

  /** The caller must call `releaseWriter` afterwards. */
  async acquireWriter(): Promise<SqliteThread> {
    if (this.#waiting >= this.#options.waitingMax) throw tooMany();
    if (!this.#writerLock.tryAcquire()) {
      this.#waiting += 1;
      await this.#writerLock.acquire();
      this.#waiting -= 1;
    }
    try {
      return this.#openWriter();
    } catch (failure) {
      this.#writerLock.release();
      throw failure;
    }
  }

  releaseWriter(): void {
    this.#writerLock.release();
  }

  #openWriter(): SqliteThread {
    if (this.#writer === undefined || this.#writer.isClosed) this.#writer = this.#start(writerPragmas);
    return this.#writer;
  }

  /** An idle reader, else a new one up to the limit, else the least loaded one. */
  #reader(): SqliteThread {
    this.#readers = this.#readers.filter(({ isClosed }) => !isClosed);
    const [best] = this.#readers.sort((one, other) => one.load - other.load);
    if (best !== undefined && (best.load === 0 || this.#readers.length >= this.#options.readersMax)) {
      if (best.load >= this.#options.waitingMax) throw tooMany();
      return best;
    }
    const reader = this.#start(readerPragmas);
    this.#readers.push(reader);
    return reader;
  }

  #start(pragmas: readonly string[]): SqliteThread {
    if (this.#isClosed) throw storageUnavailable(new Error("The database is closed."));
    const { file, startWorker } = this.#options;
    return new SqliteThread({ file, pragmas }, startWorker);
  }
}

/** Reads outside a transaction may go to a reader thread, everything else goes to the writer. */
class SqliteConnection implements DatabaseConnection {
  readonly #threads: SqliteThreads;
  #writer: SqliteThread | undefined;

  constructor(threads: SqliteThreads) {
    this.#threads = threads;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#writer !== undefined) return toResult(await this.#writer.run(sql, parameters));
    if (query.kind === "SelectQueryNode") {
      const isLookup = "isLookup" in query || migratorReads.test(sql);
      return toResult(await this.#threads[isLookup ? "lookUp" : "read"](sql, parameters));
    }
    const writer = await this.#threads.acquireWriter();
    try {
      return toResult(await writer.run(sql, parameters));
    } finally {
      this.#threads.releaseWriter();
    }
  }

  // biome-ignore lint/correctness/useYield: streaming is not supported.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming queries are not supported.");
  }

  async begin(): Promise<void> {
    const writer = await this.#threads.acquireWriter();
    try {
      // Immediate: a deferred transaction could fail on its first write because its snapshot is out of date.
      await writer.run("begin immediate", []);
      this.#writer = writer;
    } catch (failure) {
      this.#threads.releaseWriter();
      throw failure;
    }
  }

  /** Kysely rolls back after a failed commit. A thread whose rollback failed is closed, never reused. */
  async end(how: "commit" | "rollback"): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined) return;
    if (how === "commit") await writer.run("commit", []);
    else await writer.run("rollback", []).catch(() => writer.close());
    this.#writer = undefined;
    this.#threads.releaseWriter();
  }
}

function toResult<R>({ rows, changes }: SqliteResult): QueryResult<R> {
  // Kysely trusts its drivers to return rows of the query's type.
  return { rows: rows as R[], numAffectedRows: BigInt(changes) };
}

function tooMany(): Error {
  return storageUnavailable(new Error("Too many statements wait for the database."));
}
