// @ts-check
// A connection to a SQLite file: every SQLite of the gateway is opened here. Plain JavaScript, so that the same file runs
// from source and from the build. CommonJS: threads require it, and Node's loader of modules takes 18 of 87 ms.

/** @typedef {typeof import("@photostructure/sqlite")} SqliteModule */
/** @typedef {InstanceType<SqliteModule["DatabaseSync"]>} NativeDatabase */
/** @typedef {ReturnType<NativeDatabase["prepare"]>} NativeStatement */
/** @typedef {null | number | bigint | string | Uint8Array} SqliteValue */

/**
 * Two connections that write and checkpoint at the same moment may break the file in earlier versions.
 * https://sqlite.org/wal.html#walresetbug
 */
const oldestSqlite = [3, 51, 3];

const { DatabaseSync } = loadSqlite();

class SqliteFile {
  #database;

  /**
   * @param {string} file Created if it is missing.
   * @param {readonly string[]} pragmas
   */
  constructor(file, pragmas = []) {
    this.#database = attempt(() => new DatabaseSync(file));
    try {
      // Large sorts need no folder for temporary files, which may be read-only or small.
      for (const pragma of ["temp_store = memory", ...pragmas]) this.pragma(pragma);
    } catch (failure) {
      this.close();
      throw failure;
    }
  }

  get inTransaction() {
    return this.#database.isTransaction;
  }

  /** @param {string} sql */
  prepare(sql) {
    return new SqliteStatement(
      attempt(() => this.#database.prepare(sql)),
      sql,
    );
  }

  /** @param {string} sql One or more statements. */
  exec(sql) {
    attempt(() => this.#database.exec(sql));
  }

  /** @param {string} text */
  pragma(text) {
    return this.prepare(`pragma ${text}`).all();
  }

  close() {
    this.#database.close();
  }
}

class SqliteStatement {
  #statement;
  #sql;

  /**
   * @param {NativeStatement} statement
   * @param {string} sql
   */
  constructor(statement, sql) {
    this.#statement = statement;
    this.#sql = sql;
    /** Whether it returns rows. */
    this.isReader = statement.columns().length > 0;
  }

  /**
   * @param {readonly SqliteValue[]} parameters
   * @returns {number} The rows that it changed.
   */
  run(parameters = []) {
    return attempt(() => Number(this.#statement.run(...parameters.map(toInteger)).changes));
  }

  /**
   * @param {readonly SqliteValue[]} parameters
   * @returns {unknown[]}
   */
  all(parameters = []) {
    const values = parameters.map(toInteger);
    return attempt(() => {
      try {
        return this.#statement.all(...values);
      } catch (failure) {
        if (!isTooLarge(failure) || !onlyReads(this.#sql)) throw failure;
        return this.#allRounded(values);
      }
    });
  }

  /** From now on, rows are arrays of their columns. */
  returnArrays() {
    this.#statement.setReturnArrays(true);
    return this;
  }

  /**
   * The rows of a sum beyond 2^53, as the nearest numbers: a report of large costs may not fail.
   *
   * @param {readonly unknown[]} values
   */
  #allRounded(values) {
    this.#statement.setReadBigInts(true);
    try {
      return this.#statement.all(...values).map(withNumbers);
    } finally {
      this.#statement.setReadBigInts(false);
    }
  }
}

/**
 * SQLite inside Node if it is recent enough, else that of a package, which speaks the same interface. Published, the
 * gateway has the package for its platform; a clone has the one with the libraries of all platforms (decision 0015).
 *
 * @returns {SqliteModule}
 */
function loadSqlite() {
  if (isRecent(process.versions.sqlite)) return loadBuiltIn();
  const platform = `${process.platform}-${process.arch}`;
  for (const name of [`@model-gateway/sqlite-${platform}`, "@photostructure/sqlite"]) {
    try {
      return require(name);
    } catch (failure) {
      if (/** @type {{ code?: string }} */ (failure).code !== "MODULE_NOT_FOUND") throw failure;
    }
  }
  throw new Error(
    `There is no SQLite for Node ${process.versions.node} on ${platform}. Install Node 22.22.3, 24.15 or a later one, which has it.`,
  );
}

/** Without Node's warning that SQLite is experimental: a user can do nothing about it. */
function loadBuiltIn() {
  const { emitWarning } = process;
  process.emitWarning = (/** @type {unknown[]} */ ...warning) => {
    const [text, type] = warning;
    if (type !== "ExperimentalWarning" || !String(text).startsWith("SQLite "))
      Reflect.apply(emitWarning, process, warning);
  };
  try {
    // Its type is not in those of Node 20.
    return /** @type {SqliteModule} */ (process.getBuiltinModule("node:sqlite"));
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** @param {string | undefined} version */
function isRecent(version) {
  if (version === undefined) return false;
  const parts = version.split(".").map(Number);
  const differs = oldestSqlite.findIndex((part, index) => part !== parts[index]);
  return differs === -1 || (parts[differs] ?? 0) > (oldestSqlite[differs] ?? 0);
}

/** Node binds every number as a float, and the package some whole numbers: `'3.0'` in a text. @param {SqliteValue} value */
function toInteger(value) {
  return Number.isSafeInteger(value) ? BigInt(/** @type {number} */ (value)) : value;
}

/** A statement that writes must not run twice. @param {string} sql */
function onlyReads(sql) {
  return /^\s*(?:select|with)\b/i.test(sql) && !/\breturning\b/i.test(sql);
}

/** @param {unknown} row */
function withNumbers(row) {
  const entries = Object.entries(/** @type {object} */ (row));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}

/** Whether a row has an integer that no number can hold. Node has a code for it, and the package an error without one. @param {unknown} failure */
function isTooLarge(failure) {
  const { code, errcode, message } = /** @type {DriverFailure} */ (failure);
  if (code === "ERR_OUT_OF_RANGE") return true;
  return code === "ERR_SQLITE_ERROR" && errcode === undefined && !codeByMessage.has(message);
}

/** @typedef {Error & { readonly code?: string, readonly errcode?: number }} DriverFailure */

/**
 * Gives a failure SQLite's name of its code, such as `SQLITE_BUSY`.
 *
 * @template Result
 * @param {() => Result} run
 */
function attempt(run) {
  try {
    return run();
  } catch (failure) {
    const { code, errcode, message } = /** @type {DriverFailure} */ (failure);
    if (code !== "ERR_SQLITE_ERROR") throw failure;
    // The rest of an extended code is in its upper bits.
    const name = errcode === undefined ? codeByMessage.get(message) : resultCodes.get(errcode & 0xff)?.name;
    throw Object.assign(new Error(message), { code: name ?? "SQLITE_ERROR" });
  }
}

/**
 * The codes that say more than that a statement is wrong, with SQLite's messages: the package has only those for a
 * statement that returns rows. https://sqlite.org/rescode.html
 */
const resultCodes = new Map([
  [5, { name: "SQLITE_BUSY", message: "database is locked" }],
  [6, { name: "SQLITE_LOCKED", message: "database table is locked" }],
  [7, { name: "SQLITE_NOMEM", message: "out of memory" }],
  [8, { name: "SQLITE_READONLY", message: "attempt to write a readonly database" }],
  [10, { name: "SQLITE_IOERR", message: "disk I/O error" }],
  [11, { name: "SQLITE_CORRUPT", message: "database disk image is malformed" }],
  [13, { name: "SQLITE_FULL", message: "database or disk is full" }],
  [14, { name: "SQLITE_CANTOPEN", message: "unable to open database file" }],
  [19, { name: "SQLITE_CONSTRAINT", message: "constraint failed" }],
  [26, { name: "SQLITE_NOTADB", message: "file is not a database" }],
]);
const codeByMessage = new Map([...resultCodes.values()].map(({ name, message }) => [message, name]));

module.exports = { SqliteFile };
