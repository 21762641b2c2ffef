import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SqliteFile } from "./sqlite-file.cjs";

let folder: string;
let path: string;
let file: InstanceType<typeof SqliteFile>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sqlite-file-"));
  path = join(folder, "a.db");
  file = new SqliteFile(path, ["journal_mode = wal"]);
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

const select = (sql: string, parameters: readonly never[] | readonly (number | string | Uint8Array)[] = []) =>
  file.prepare(sql).all(parameters);

test("SQLite has the fix of the bug that breaks a file with a write-ahead log", () => {
  const [row] = select("select sqlite_version() as version") as { version: string }[];

  const [major = 0, minor = 0, patch = 0] = (row?.version ?? "").split(".").map(Number);
  expect(major * 1_000_000 + minor * 1000 + patch).toBeGreaterThanOrEqual(3_051_003);
});

test("a value of an unknown type does not end the process", () => {
  for (const value of [true, undefined, Symbol("a"), () => 1, new Date(0)])
    try {
      file.prepare("select ?").all([value as never]);
    } catch {
      // Drivers differ in what they refuse.
    }

  expect(select("select 1 as one")).toEqual([{ one: 1 }]);
});

test("whole numbers are integers, and others floats", () => {
  const given = [3, -1, 2 ** 40, 0.5];

  expect(select("select typeof(?) as a, typeof(?) as b, typeof(?) as c, typeof(?) as d", given)).toEqual([
    { a: "integer", b: "integer", c: "integer", d: "real" },
  ]);
});

test("a sum that no number can hold is the nearest one", () => {
  file.exec("create table costs (nanos bigint); insert into costs values (9007199254740991), (2)");

  expect(select("select sum(nanos) as sum, 'a' as name from costs")).toEqual([{ sum: 2 ** 53, name: "a" }]);
});

test("a statement that writes does not run again for an integer that no number can hold", () => {
  file.exec("create table costs (nanos bigint)");

  const insert = file.prepare("insert into costs values (9007199254740991 + 2) returning nanos");

  expect(() => insert.all()).toThrow("too large");
  expect(select("select count(*) as count from costs")).not.toEqual([{ count: 2 }]);
});

test("bytes come back as they were, each in its own buffer", () => {
  const bytes = new Uint8Array([9, 1, 2, 3]).subarray(1);

  const [row] = select("select ? as some, ? as empty", [bytes, new Uint8Array()]);

  expect(row).toEqual({ some: new Uint8Array([1, 2, 3]), empty: new Uint8Array() });
  expect((row as { some: Uint8Array }).some.buffer.byteLength).toBe(3);
});

test("a failure has the name of SQLite's code", () => {
  file.exec("create table names (name text unique); insert into names values ('a')");
  const readOnly = new SqliteFile(path, ["query_only = on"]);
  const full = new SqliteFile(join(folder, "full.db"), ["max_page_count = 2"]);
  full.exec("create table texts (text)");
  const missing = join(folder, "missing", "a.db");

  const failures = [
    () => readOnly.exec("insert into names values ('b')"),
    () => readOnly.prepare("insert into names values ('b') returning name").all(),
    () => full.prepare("insert into texts values (zeroblob(99999))").run(),
    () => full.prepare("insert into texts values (zeroblob(99999)) returning 1").all(),
    () => new SqliteFile(brokenFile()).pragma("user_version"),
    () => new SqliteFile(missing),
    () => file.prepare("insert into names values ('a')").run(),
    () => file.prepare("selec"),
    () => select("select load_extension('a')"),
  ].map(codeOf);
  for (const opened of [readOnly, full]) opened.close();

  expect(failures).toEqual([
    "SQLITE_READONLY",
    "SQLITE_READONLY",
    "SQLITE_FULL",
    "SQLITE_FULL",
    "SQLITE_NOTADB",
    "SQLITE_CANTOPEN",
    "SQLITE_CONSTRAINT",
    "SQLITE_ERROR",
    "SQLITE_ERROR",
  ]);
});

test("a file that another connection has locked is busy, for writes and reads", () => {
  const locked = join(folder, "locked.db");
  const holder = new SqliteFile(locked);
  holder.exec("create table names (name text); begin exclusive");
  const other = new SqliteFile(locked);

  const failures = [() => other.exec("begin immediate"), () => other.pragma("user_version")].map(codeOf);
  holder.exec("rollback");
  const version = other.pragma("user_version");
  for (const opened of [holder, other]) opened.close();

  expect({ failures, version }).toEqual({
    failures: ["SQLITE_BUSY", "SQLITE_BUSY"],
    version: [{ user_version: 0 }],
  });
});

test("a page that was overwritten is corrupt, for writes and reads", () => {
  const damaged = join(folder, "damaged.db");
  const first = new SqliteFile(damaged);
  first.exec("create table names (name text); insert into names values ('a')");
  first.close();
  const bytes = readFileSync(damaged);
  bytes.fill(0xff, 4096);
  writeFileSync(damaged, bytes);
  const second = new SqliteFile(damaged);

  const statements = ["select name from names", "insert into names values ('b')"];
  const failures = statements.map((sql) => codeOf(() => second.prepare(sql).all()));
  second.close();

  expect(failures).toEqual(["SQLITE_CORRUPT", "SQLITE_CORRUPT"]);
});

test("a statement that is kept holds no snapshot, whether it ended or failed", () => {
  file.exec("create table numbers (n); insert into numbers values (1), (9007199254740993)");
  const reader = new SqliteFile(path);
  const kept = reader.prepare("select n from numbers");
  const failing = reader.prepare("select abs(-9223372036854775807 - n) as n from numbers where n = 1");

  expect(kept.all()).toHaveLength(2);
  expect(codeOf(() => failing.all())).toBe("SQLITE_ERROR");
  file.exec("insert into numbers values (2)");

  expect(file.pragma("wal_checkpoint(truncate)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
  expect(kept.all()).toHaveLength(3);
  reader.close();
});

test("large sorts need no folder for temporary files", () => {
  expect(file.pragma("temp_store")).toEqual([{ temp_store: 2 }]);
});

function brokenFile(): string {
  const broken = join(folder, "broken.db");
  writeFileSync(broken, "This is not a database. ".repeat(100));
  return broken;
}

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (failure) {
    return (failure as { code?: string }).code;
  }
  return undefined;
}
