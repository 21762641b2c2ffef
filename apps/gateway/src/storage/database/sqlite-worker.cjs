// @ts-check
// The entry of a thread with one connection to a SQLite file. Plain JavaScript, so that the same file runs from source
// and from the build. CommonJS: a start waits for it, and Node's loader of modules takes 18 of 87 ms.
const { parentPort, workerData } = require("node:worker_threads");
const Database = require("libsql");

const preparedMax = 32;

/**
 * Runs the statements that arrive at a port, until it is closed.
 *
 * @param {import("node:worker_threads").MessagePort} port
 * @param {import("./sqlite-thread.js").SqliteThreadData} data
 */
function serveFile(port, data) {
  const connection = new Connection(data);
  port.on("message", (/** @type {import("./sqlite-thread.js").SqliteRequest} */ request) => {
    if (request === "close") {
      connection.close();
      port.close();
      return;
    }
    const { reply, bytes } = connection.execute(request);
    port.postMessage(reply, bytes);
  });
}

class Connection {
  #database;
  /** @type {Map<string, ReturnType<InstanceType<typeof Database>["prepare"]>>} */
  #prepared = new Map();

  /** @param {import("./sqlite-thread.js").SqliteThreadData} data */
  constructor({ file, pragmas }) {
    try {
      this.#database = new Database(file);
      for (const pragma of pragmas) this.#database.pragma(pragma);
    } catch (failure) {
      // Errors of the driver lose their message when they are cloned to another thread.
      throw Object.assign(new Error(messageOf(failure)), {
        code: /** @type {{ code?: string }} */ (failure).code,
      });
    }
  }

  /**
   * @param {import("./sqlite-thread.js").SqliteStatement} statement
   * @returns {{ reply: import("./sqlite-thread.js").SqliteReply, bytes: ArrayBuffer[] }}
   */
  execute({ id, sql, parameters }) {
    try {
      const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
      if (!statement.reader) {
        this.#keep(sql, statement);
        const { changes } = statement.run(parameters);
        return { reply: { id, rows: [], changes, hasBytes: false }, bytes: [] };
      }
      const rows = /** @type {Record<string, unknown>[]} */ (statement.all(parameters));
      const bytes = rows.flatMap(bytesOf);
      return { reply: { id, rows, changes: rows.length, hasBytes: bytes.length > 0 }, bytes };
    } catch (failure) {
      const { code } = /** @type {{ code?: string }} */ (failure);
      return { reply: { id, failure: { message: messageOf(failure), code: code ?? "" } }, bytes: [] };
    }
  }

  close() {
    this.#database.close();
  }

  /**
   * Keeps a statement that returns no rows: preparing those of the ledger takes longer than running them for a few rows.
   * A statement that returns rows may hold its snapshot for as long as it is kept.
   *
   * @param {string} sql
   * @param {ReturnType<InstanceType<typeof Database>["prepare"]>} statement
   */
  #keep(sql, statement) {
    if (this.#prepared.has(sql)) return;
    if (this.#prepared.size >= preparedMax) this.#prepared.clear();
    this.#prepared.set(sql, statement);
  }
}

/**
 * Buffers that are transferred instead of copied.
 * @param {Record<string, unknown>} row
 */
function bytesOf(row) {
  return Object.values(row).filter((value) => value instanceof ArrayBuffer);
}

/** @param {unknown} failure */
function messageOf(failure) {
  return /** @type {{ message: string }} */ (failure).message;
}

if (parentPort !== null && workerData) serveFile(parentPort, workerData);

// Tests serve one file after the other in a thread.
module.exports = { serveFile };
