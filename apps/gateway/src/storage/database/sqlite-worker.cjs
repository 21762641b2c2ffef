// @ts-check
// The entry of a thread with one connection to a SQLite file. Plain JavaScript, so that the same file runs from source
// and from the build. CommonJS: a start waits for it, and Node's loader of modules takes 18 of 87 ms.
const { parentPort, workerData } = require("node:worker_threads");
const { SqliteFile } = require("@model-gateway/data-folder/sqlite-file.cjs");

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
  #file;
  /** @type {Map<string, ReturnType<InstanceType<typeof SqliteFile>["prepare"]>>} */
  #prepared = new Map();

  /** @param {import("./sqlite-thread.js").SqliteThreadData} data */
  constructor({ file, pragmas }) {
    this.#file = new SqliteFile(file, pragmas);
  }

  /**
   * @param {import("./sqlite-thread.js").SqliteStatement} statement
   * @returns {{ reply: import("./sqlite-thread.js").SqliteReply, bytes: ArrayBuffer[] }}
   */
  execute({ id, sql, parameters }) {
    try {
      const statement = this.#prepare(sql);
      if (!statement.isReader)
        return { reply: { id, rows: [], changes: statement.run(parameters), hasBytes: false }, bytes: [] };
      const rows = /** @type {Record<string, unknown>[]} */ (statement.all(parameters));
      const bytes = rows.flatMap(bytesOf);
      return { reply: { id, rows, changes: rows.length, hasBytes: bytes.length > 0 }, bytes };
    } catch (failure) {
      const { message, code = "" } = /** @type {Error & { code?: string }} */ (failure);
      return { reply: { id, failure: { message, code } }, bytes: [] };
    }
  }

  close() {
    this.#file.close();
  }

  /**
   * Keeps the statements of late: preparing those of the ledger takes longer than running them for a few rows.
   *
   * @param {string} sql
   */
  #prepare(sql) {
    const statement = this.#prepared.get(sql) ?? this.#file.prepare(sql);
    this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    if (this.#prepared.size > preparedMax) {
      const [oldest = ""] = this.#prepared.keys();
      this.#prepared.delete(oldest);
    }
    return statement;
  }
}

/**
 * Buffers that are transferred instead of copied. Each value has its own.
 * @param {Record<string, unknown>} row
 */
function bytesOf(row) {
  return Object.values(row).flatMap((value) =>
    value instanceof Uint8Array ? /** @type {ArrayBuffer} */ (value.buffer) : [],
  );
}

if (parentPort !== null && workerData) serveFile(parentPort, workerData);

// Tests serve one file after the other in a thread.
module.exports = { serveFile };
