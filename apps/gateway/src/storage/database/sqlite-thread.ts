import { Worker } from "node:worker_threads";
import { storageUnavailable } from "../../errors.js";

export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  readonly changes: number;
}

interface PendingStatement {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (failure: unknown) => void;
}

/** One connection to a SQLite file in its own thread. Statements run in order. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingStatement>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #isClosed = false;

  constructor(options: SqliteThreadData) {
    this.#worker = new Worker(new URL("./sqlite-worker.mjs", import.meta.url), {
      name: "sqlite",
      workerData: options,
    });
    let reason: unknown;
    this.#worker.on("message", (reply: SqliteReply) => this.#settle(reply));
    this.#worker.on("error", (failure) => {
      reason = failure;
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#isClosed = true;
        const failure = storageUnavailable(reason ?? new Error("The database thread exited."));
        for (const { reject } of this.#pending.values()) reject(failure);
        this.#pending.clear();
        resolve();
      });
    });
  }

  /** Whether the thread has exited or is about to. It must be replaced, not used again. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Statements in flight. */
  get load(): number {
    return this.#pending.size;
  }

  run(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    if (this.#isClosed) return Promise.reject(storageUnavailable(new Error("The database is closed.")));
    const values = parameters.map(toValue);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, sql, parameters: values });
    });
  }

  /** Waits for statements in flight: terminating a thread inside native code would abort the whole process. */
  async close(): Promise<void> {
    if (!this.#isClosed) this.#send("close");
    this.#isClosed = true;
    await this.#ended;
  }

  #send(request: SqliteRequest): void {
    this.#worker.postMessage(request);
  }

  #settle(reply: SqliteReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("failure" in reply) pending?.reject(toError(reply.failure));
    else
      pending?.resolve({
        rows: reply.hasBytes ? reply.rows.map(withBuffers) : reply.rows,
        changes: reply.changes,
      });
  }
}

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
      value instanceof ArrayBuffer ? Buffer.from(value) : value,
    ]),
  );
}

/** A full or unreachable disk is transient; a wrong statement is not. */
function toError({ message, code }: { readonly message: string; readonly code: string }): Error {
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

/** The parameter types that the driver accepts. Any other would crash the whole process. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteStatement {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly SqliteValue[];
}

export type SqliteRequest = SqliteStatement | "close";

export type SqliteReply =
  | {
      readonly id: number;
      readonly rows: Record<string, unknown>[];
      readonly changes: number;
      /** Whether a row contains bytes, which arrive as array buffers. */
      readonly hasBytes: boolean;
    }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } };
