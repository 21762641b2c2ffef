import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { Semaphore } from "../../domain/semaphore.js";
import { storageUnavailable } from "../../errors.js";
import { type SqliteResult, SqliteThread } from "./sqlite-thread.js";

const readersMax = 2;
const pragmas = [
  "busy_timeout = 5000",
  "journal_mode = wal",
  "synchronous = normal",
  "foreign_keys = on",
  // Enough to know which of two indexes is the better, in milliseconds.
  "analysis_limit = 400",
  // After a long read had kept it from being emptied, the log shrinks again.
  `journal_size_limit = ${64 * 1024 * 1024}`,
];

export interface SqliteOptions {
  readonly file: string;
  /** How many statements may wait for one thread; more are refused. */
  readonly waitingMax: number;
}

/** SQLite in threads of its own: one writes, up to two read, and none holds up the event loop or each other. */
export function createSqliteDialect(options: SqliteOptions): Dialect {
  return {
    createDriver: () => new SqliteThreads(options),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely: Kysely<unknown>) => new SqliteIntrospector(kysely),
  };
}

/** A migration that fails half-way leaves nothing behind: SQLite takes changes of the schema back as well. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteThreads implements Driver {
  readonly #options: SqliteOptions;
  readonly #turn = new Semaphore(1);
  #waiting = 0;
  #writer: SqliteThread | undefined;
  #readers: SqliteThread[] = [];
  #isClosed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { file } = this.#options;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Whatever SQLite puts beside the file gets the file's permissions.
    closeSync(openSync(file, "a", 0o600));
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this);
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
    // What it learns of the tables by now is there at the next start; without it, nothing is lost.
    await this.#writer.run("pragma optimize", []).catch(() => undefined);
    // The last connection that closes empties the log into the file.
    await this.#writer.close();
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    return this.#reader().run(sql, parameters);
  }

  /** Hands over the one thread that writes. Whoever has it gives it back. */
  async takeWriter(): Promise<SqliteThread> {
    if (this.#waiting >= this.#options.waitingMax) throw tooMany();
    const turn = this.#turn.acquire();
    if (turn !== undefined) {
      this.#waiting += 1;
      await turn;
      this.#waiting -= 1;
    }
    try {
      if (this.#writer === undefined || this.#writer.isOver) this.#writer = this.#start([]);
      return this.#writer;
    } catch (failure) {
      this.#turn.release();
      throw failure;
    }
  }

  giveWriterBack(): void {
    this.#turn.release();
  }

  /** One that has nothing to do, a new one while there may be more, or the one with the least to do. */
  #reader(): SqliteThread {
    this.#readers = this.#readers.filter(({ isOver }) => !isOver);
    const [best] = this.#readers.sort((one, other) => one.load - other.load);
    if (best !== undefined && (best.load === 0 || this.#readers.length >= readersMax)) {
      if (best.load >= this.#options.waitingMax) throw tooMany();
      return best;
    }
    const reader = this.#start(["query_only = on"]);
    this.#readers.push(reader);
    return reader;
  }

  #start(more: readonly string[]): SqliteThread {
    if (this.#isClosed) throw storageUnavailable(new Error("The database is closed."));
    return new SqliteThread({ file: this.#options.file, pragmas: [...pragmas, ...more] });
  }
}

/** Reads by itself go to a thread that reads; all else, and all of a transaction, to the one that writes. */
class SqliteConnection implements DatabaseConnection {
  readonly #threads: SqliteThreads;
  #writer: SqliteThread | undefined;

  constructor(threads: SqliteThreads) {
    this.#threads = threads;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#writer !== undefined) return toResult(await this.#writer.run(sql, parameters));
    if (query.kind === "SelectQueryNode") return toResult(await this.#threads.read(sql, parameters));
    const writer = await this.#threads.takeWriter();
    try {
      return toResult(await writer.run(sql, parameters));
    } finally {
      this.#threads.giveWriterBack();
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here is long enough to be read in pieces.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("SQLite is not read in pieces.");
  }

  async begin(): Promise<void> {
    const writer = await this.#threads.takeWriter();
    try {
      // At once for writing: a transaction that reads first could find, when it writes, that it read the past.
      await writer.run("begin immediate", []);
      this.#writer = writer;
    } catch (failure) {
      this.#threads.giveWriterBack();
      throw failure;
    }
  }

  /** A failed commit is followed by a rollback; a failed rollback leaves a thread that nobody may have again. */
  async end(how: "commit" | "rollback"): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined) return;
    if (how === "commit") await writer.run("commit", []);
    else await writer.run("rollback", []).catch(() => writer.close());
    this.#writer = undefined;
    this.#threads.giveWriterBack();
  }
}

function toResult<R>({ rows, changes }: SqliteResult): QueryResult<R> {
  // The rows are what the query's own types say, as with every driver of Kysely.
  return { rows: rows as R[], numAffectedRows: BigInt(changes) };
}

function tooMany(): Error {
  return storageUnavailable(new Error("Too many statements wait for the database."));
}
