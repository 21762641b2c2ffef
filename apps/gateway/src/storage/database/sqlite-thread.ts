import { Worker } from "node:worker_threads";
import { storageUnavailable } from "@model-gateway/domain/errors";
import {
  ReplyingThread,
  type ThreadFailure,
  type ThreadHandle,
  type ThreadReply,
} from "../replying-thread.js";

export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  readonly changes: number;
}

/** One connection to a SQLite file in its own thread. Statements run in order. */
export class SqliteThread {
  readonly #thread: ReplyingThread<SqliteRows>;

  constructor(data: SqliteThreadData, startWorker = startSqliteWorker) {
    const worker = startWorker(data);
    this.#thread = new ReplyingThread({ worker, toError, exitError: storageUnavailable });
  }

  /** Whether the thread has exited or is about to. It must be replaced, not used again. */
  get isClosed(): boolean {
    return this.#thread.isClosed;
  }

  /** Statements in flight. */
  get load(): number {
    return this.#thread.load;
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    const { rows, changes, hasBytes } = await this.#thread.send({ sql, parameters: parameters.map(toValue) });
    return { rows: hasBytes ? rows.map(withBuffers) : rows, changes };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** Starts the thread of a connection. */
export type StartSqliteWorker = (data: SqliteThreadData) => ThreadHandle;

export const startSqliteWorker: StartSqliteWorker = (data) => {
  const url = new URL("./sqlite-worker.cjs", import.meta.url);
  return new Worker(url, { name: "sqlite", workerData: data });
};

function toValue(parameter: unknown): SqliteValue {
  if (parameter === null || parameter instanceof Uint8Array) return parameter;
  if (typeof parameter === "number" || typeof parameter === "bigint" || typeof parameter === "string")
    return parameter;
  throw new TypeError(`SQLite does not accept a value of type ${typeof parameter}.`);
}

function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value.buffer) : value,
    ]),
  );
}

/** A full or unreachable disk is transient; a wrong statement is not. */
function toError({ message, code }: ThreadFailure): Error {
  const failure = Object.assign(new Error(message), { code });
  return /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/.test(code)
    ? storageUnavailable(failure)
    : failure;
}

/** The `workerData` of the thread. */
export interface SqliteThreadData {
  readonly file: string;
  readonly pragmas: readonly string[];
}

/** The types of parameters. Drivers differ in what they do with others. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteStatement {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly SqliteValue[];
}

export type SqliteRequest = SqliteStatement | "close";

interface SqliteRows extends SqliteResult {
  /** Whether a row contains bytes. */
  readonly hasBytes: boolean;
}

export type SqliteReply = ThreadReply<SqliteRows>;
