import { Worker } from "node:worker_threads";
import { storageUnavailable } from "../../errors.js";

export interface SqliteResult {
  readonly rows: Record<string, unknown>[];
  readonly changes: number;
}

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (failure: unknown) => void;
}

/** One connection to a SQLite file in a thread of its own. What it is asked is done in order. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #isOver = false;

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
        this.#isOver = true;
        const failure = storageUnavailable(reason ?? new Error("The thread of the database has ended."));
        for (const { reject } of this.#waiting.values()) reject(failure);
        this.#waiting.clear();
        resolve();
      });
    });
  }

  /** Whether the thread has ended or was told to; such a one is replaced, never asked again. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How many statements have no answer yet. */
  get load(): number {
    return this.#waiting.size;
  }

  run(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    if (this.#isOver) return Promise.reject(storageUnavailable(new Error("The database is closed.")));
    const values = parameters.map(toValue);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, sql, parameters: values });
    });
  }

  /** Waits for what is under way: ending a thread inside native code would abort the whole process. */
  async close(): Promise<void> {
    if (!this.#isOver) this.#send("close");
    this.#isOver = true;
    await this.#ended;
  }

  #send(request: SqliteRequest): void {
    this.#worker.postMessage(request);
  }

  #settle(reply: SqliteReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("failure" in reply) waiting?.reject(toError(reply.failure));
    else
      waiting?.resolve({
        rows: reply.hasBytes ? reply.rows.map(withBuffers) : reply.rows,
        changes: reply.changes,
      });
  }
}

function toValue(parameter: unknown): SqliteValue {
  if (parameter === null || parameter instanceof Uint8Array) return parameter;
  if (typeof parameter === "number" || typeof parameter === "bigint" || typeof parameter === "string")
    return parameter;
  throw new TypeError(`SQLite cannot be given a value of type ${typeof parameter}.`);
}

function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof ArrayBuffer ? Buffer.from(value) : value,
    ]),
  );
}

/** That the disk is full or cannot be reached passes; that a statement is wrong does not. */
function toError({ message, code }: { readonly message: string; readonly code: string }): Error {
  const failure = Object.assign(new Error(message), { code });
  return /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/.test(code)
    ? storageUnavailable(failure)
    : failure;
}

/** What a thread is told when it starts. */
export interface SqliteThreadData {
  readonly file: string;
  readonly pragmas: readonly string[];
}

/** What a statement can be given. The driver ends the whole process when it meets anything else. */
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
      /** Whether a row has bytes in it; they arrive as array buffers. */
      readonly hasBytes: boolean;
    }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } };
