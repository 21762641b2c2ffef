// @ts-check
// The entry of a thread with one connection to a SQLite file. Plain JavaScript, so that the same file runs from source
// and from the build. CommonJS: a start waits for it, and Node's loader of modules takes 18 of 87 ms.
const { parentPort, workerData } = require("node:worker_threads");
const Database = require("libsql");

/** @type {import("./sqlite-thread.js").SqliteThreadData} */
const { file, pragmas } = workerData;
const database = open();
/** @type {Map<string, ReturnType<typeof database.prepare>>} */
const prepared = new Map();
const preparedMax = 32;

parentPort?.on("message", (/** @type {import("./sqlite-thread.js").SqliteRequest} */ request) => {
  if (request === "close") {
    database.close();
    parentPort?.close();
    return;
  }
  const { reply, bytes } = execute(request);
  parentPort?.postMessage(reply, bytes);
});

function open() {
  try {
    const opened = new Database(file);
    for (const pragma of pragmas) opened.pragma(pragma);
    return opened;
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
function execute({ id, sql, parameters }) {
  try {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    if (!statement.reader) {
      keep(sql, statement);
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

/**
 * Keeps a statement that returns no rows: preparing those of the ledger takes longer than running them for a few rows.
 * A statement that returns rows may hold its snapshot for as long as it is kept.
 * @param {string} sql
 * @param {ReturnType<typeof database.prepare>} statement
 */
function keep(sql, statement) {
  if (prepared.has(sql)) return;
  if (prepared.size >= preparedMax) prepared.clear();
  prepared.set(sql, statement);
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
