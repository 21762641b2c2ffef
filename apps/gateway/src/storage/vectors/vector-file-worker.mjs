// @ts-check
// The entry of a thread that reads or writes a file of vectors. Plain JavaScript, so that the same file runs from source
// and from the build.
import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { SqliteFile } from "@model-gateway/data-folder/sqlite-file.cjs";

/** Another format of the file needs another number. Files of other formats are not read. */
const format = 1;
const sweepEveryMs = 10_000;
const sweptAtOnceMax = 500;
/** With a lower limit, a file shrinks by this many rows and pages with each transaction. */
const evictedAtOnceMin = 64;
const freedPagesMax = 256;
// A vector of 1,536 numbers fits a page.
const pageBytes = 8192;
/** The pages that a row changes beside its own: of both indexes, when it is written and when another is evicted. */
const pagesAroundRow = 3;
/** One statement for 100 keys takes two thirds of the time that 100 statements take. */
const readAtOnceMax = 100;

/** @type {import("./vector-file.js").VectorFileData} */
const { file, bytesMax, role } = workerData;
/** The write-ahead log counts as well. It takes this much, and the vectors the rest. */
const logBytesMax = Math.min(16 * 1024 * 1024, Math.floor(bytesMax / 4));
/** The log ends in a transaction of at most this size. */
const transactionBytesMax = logBytesMax / 4;
const pagesMax = Math.floor((bytesMax - logBytesMax) / pageBytes);
const database = open();
const selectOne = prepareSelect(1);
const selectMany = prepareSelect(readAtOnceMax);
const insert = database.prepare(
  "insert or replace into vectors (key, written_at, expires_at, tokens, checksum, floats) values (?, ?, ?, ?, ?, ?)",
);
const deleteExpired = database.prepare(
  "delete from vectors where id in (select id from vectors where expires_at <= ? limit ?)",
);
const deleteOldest = database.prepare(
  "delete from vectors where id in (select id from vectors order by id limit ?)",
);
const sweeper = role === "writer" ? setInterval(sweep, sweepEveryMs).unref() : undefined;

parentPort?.on("message", (/** @type {import("./vector-file.js").VectorFileRequest} */ request) => {
  if (request === "close") {
    clearInterval(sweeper);
    database.close();
    parentPort?.close();
    return;
  }
  const { reply, bytes } = execute(request);
  parentPort?.postMessage(reply, bytes);
});

function open() {
  const opened = new SqliteFile(file, [
    "busy_timeout = 5000",
    `page_size = ${pageBytes}`,
    "auto_vacuum = incremental",
    "journal_mode = wal",
    // After a loss of power the file may be broken. Every row has a checksum, and a broken file is replaced.
    "synchronous = off",
    // With a million vectors, the inner pages of the index and the table fit into it.
    `cache_size = -${role === "reader" ? 32_768 : 8192}`,
    `wal_autocheckpoint = ${Math.floor(logBytesMax / 2 / pageBytes)}`,
    `journal_size_limit = ${logBytesMax}`,
    "cell_size_check = on",
  ]);
  const [version] = /** @type {{ user_version: number }[]} */ (opened.pragma("user_version"));
  if (version?.user_version !== 0 && version?.user_version !== format)
    throw Object.assign(new Error("Another format."), { code: "SQLITE_NOTADB" });
  opened.exec(`
    create table if not exists vectors (
      id integer primary key,
      key text not null unique,
      written_at integer not null,
      expires_at integer not null,
      tokens integer not null,
      checksum integer not null,
      floats blob not null
    );
    create index if not exists vectors_by_expiry on vectors (expires_at);
    pragma user_version = ${format};
  `);
  return opened;
}

/**
 * @param {Exclude<import("./vector-file.js").VectorFileRequest, "close">} request
 * @returns {{ reply: import("./vector-file.js").VectorFileReply, bytes: ArrayBuffer[] }}
 */
function execute(request) {
  try {
    if ("batch" in request) {
      write(request.batch);
      return { reply: { id: request.id, found: [] }, bytes: [] };
    }
    const found = read(request);
    // A key that was requested twice has one buffer.
    const bytes = new Set(found.flatMap((one) => one?.floats.buffer ?? []));
    return { reply: { id: request.id, found }, bytes: [...bytes] };
  } catch (failure) {
    const { message, code = "" } = /** @type {Error & { code?: string }} */ (failure);
    return { reply: { id: request.id, failure: { message, code } }, bytes: [] };
  }
}

/** @param {import("./vector-file.js").VectorFileRead} request */
function read({ keys, writtenAfter }) {
  /** @type {Map<string, import("./vector-file.js").StoredVector>} */
  const found = new Map();
  for (let start = 0; start < keys.length; start += readAtOnceMax) {
    for (const [key, writtenAt, tokens, checksum, floats] of select(
      keys.slice(start, start + readAtOnceMax),
    )) {
      if (writtenAt > writtenAfter && checksumOf(floats, { key, writtenAt, tokens }) === checksum)
        found.set(key, { tokens, floats });
    }
  }
  return keys.map((key) => found.get(key) ?? null);
}

/**
 * @param {readonly string[]} keys
 * @returns {VectorRow[]}
 */
function select(keys) {
  // No key is empty.
  const padded = keys.length === 1 ? keys : [...keys, ...Array(readAtOnceMax - keys.length).fill("")];
  const rows = (keys.length === 1 ? selectOne : selectMany).all([...padded]);
  return /** @type {VectorRow[]} */ (rows);
}

/** @param {number} count */
function prepareSelect(count) {
  const places = Array(count).fill("?").join(", ");
  return database
    .prepare(`select key, written_at, tokens, checksum, floats from vectors where key in (${places})`)
    .returnArrays();
}

/**
 * In several transactions: the log cannot be emptied within one.
 * @param {import("./vector-file.js").VectorBatch} batch
 */
function write(batch) {
  const { keys, widths } = batch;
  let first = 0;
  let start = 0;
  while (first < keys.length) {
    let end = first;
    let bytes = 0;
    for (let changed = 0; end < keys.length && (end === first || changed < transactionBytesMax); end += 1) {
      const length = (widths[end] ?? 0) * 4;
      bytes += length;
      changed += length + pagesAroundRow * pageBytes;
    }
    writeRows(batch, { first, end, start });
    first = end;
    start += bytes;
  }
}

/**
 * @param {import("./vector-file.js").VectorBatch} batch
 * @param {{ first: number, end: number, start: number }} rows The rows from `first` to before `end`, whose floats begin at `start`.
 */
function writeRows({ keys, tokens, widths, floats, writtenAt, expiresAt }, { first, end, start }) {
  const count = end - first;
  inTransaction(() => {
    let at = start;
    for (const [index, key] of keys.slice(first, end).entries()) {
      const length = (widths[first + index] ?? 0) * 4;
      const bytes = Buffer.from(floats, at, length);
      at += length;
      const entry = { key, writtenAt, tokens: tokens[first + index] ?? 0 };
      insert.run([key, writtenAt, expiresAt, entry.tokens, checksumOf(bytes, entry), bytes]);
    }
    deleteExpired.run([Date.now(), 2 * count]);
    keepBelowLimit(Math.max(evictedAtOnceMin, 2 * count));
  });
  emptyLog();
}

/**
 * Deletes the oldest rows while the vectors are over their limit.
 * @param {number} rowsMax
 */
function keepBelowLimit(rowsMax) {
  if (pragma("page_count") - pragma("freelist_count") > pagesMax) deleteOldest.run([rowsMax]);
  const excess = pragma("page_count") - pagesMax;
  if (excess > 0) database.exec(`pragma incremental_vacuum(${Math.min(excess, freedPagesMax)})`);
}

/** SQLite's own checkpoint leaves the log as it is while another thread reads. This one waits for the reader. */
function emptyLog() {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) + transactionBytesMax > logBytesMax) database.pragma("wal_checkpoint(truncate)");
}

function sweep() {
  try {
    deleteExpired.run([Date.now(), sweptAtOnceMax]);
  } catch {
    // The next write meets the same fault and reports it.
  }
}

/**
 * Covers the key: a row under another key is not read.
 * @param {Uint8Array} floats
 * @param {{ key: string, writtenAt: number, tokens: number }} entry
 */
function checksumOf(floats, { key, writtenAt, tokens }) {
  return crc32(floats, crc32(`${key} ${writtenAt} ${tokens}`));
}

/** @param {() => void} run */
function inTransaction(run) {
  database.exec("begin immediate");
  try {
    run();
    database.exec("commit");
  } catch (failure) {
    // Some faults have ended the transaction already.
    if (database.inTransaction) database.exec("rollback");
    throw failure;
  }
}

/** @param {string} name */
function pragma(name) {
  const [row] = /** @type {Record<string, number>[]} */ (database.pragma(name));
  return row?.[name] ?? 0;
}

/** @typedef {[key: string, writtenAt: number, tokens: number, checksum: number, floats: Uint8Array<ArrayBuffer>]} VectorRow */
