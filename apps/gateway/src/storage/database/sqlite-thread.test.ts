import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SqliteThread } from "./sqlite-thread.js";

const unavailable = expect.objectContaining({ code: "storage_unavailable" });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thread-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("statements run in order", async () => {
  const thread = new SqliteThread({ file: join(folder, "a.db"), pragmas: [] });

  const results = await Promise.all([
    thread.run("create table numbers (n)", []),
    thread.run("insert into numbers values (?), (?)", [1, 2]),
    thread.run("select sum(n) as sum from numbers", []),
  ]);

  expect(results).toEqual([
    { rows: [], changes: 0 },
    { rows: [], changes: 2 },
    { rows: [{ sum: 3 }], changes: 1 },
  ]);
  await thread.close();
});

test("a thread that cannot open its file closes and rejects all pending statements", async () => {
  const thread = new SqliteThread({ file: join(folder, "missing", "a.db"), pragmas: [] });

  const results = await Promise.allSettled([thread.run("select 1", []), thread.run("select 2", [])]);

  expect(results).toEqual(results.map(() => ({ status: "rejected", reason: unavailable })));
  expect(thread.isClosed).toBe(true);
  await expect(thread.run("select 3", [])).rejects.toEqual(unavailable);
  await thread.close();
});

test("a full disk is named, and not a database that cannot be reached", async () => {
  const thread = new SqliteThread({ file: join(folder, "a.db"), pragmas: ["max_page_count = 3"] });
  await thread.run("create table blobs (bytes)", []);

  const full = thread.run("insert into blobs values (zeroblob(100000))", []);

  await expect(full).rejects.toThrow("The disk of the gateway's database is full, so it takes no changes.");
  await expect(full).rejects.toEqual(unavailable);
  await thread.close();
});

test("a boolean is refused, and the thread goes on", async () => {
  const thread = new SqliteThread({ file: join(folder, "a.db"), pragmas: [] });

  await expect(thread.run("select ?", [true])).rejects.toThrow("a value of type boolean");

  expect(await thread.run("select 1 as one", [])).toEqual({ rows: [{ one: 1 }], changes: 1 });
  await thread.close();
});

test("close finishes the pending statements first", async () => {
  const thread = new SqliteThread({ file: join(folder, "a.db"), pragmas: [] });

  const result = thread.run("select 1 as one", []);
  await thread.close();

  expect(await result).toEqual({ rows: [{ one: 1 }], changes: 1 });
  expect(thread.load).toBe(0);
});
