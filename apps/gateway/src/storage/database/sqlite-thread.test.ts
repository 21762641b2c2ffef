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

test("what is asked is done in order", async () => {
  const thread = new SqliteThread({ file: join(folder, "a.db"), pragmas: [] });

  const answers = await Promise.all([
    thread.run("create table numbers (n)", []),
    thread.run("insert into numbers values (?), (?)", [1, 2]),
    thread.run("select sum(n) as sum from numbers", []),
  ]);

  expect(answers).toEqual([
    { rows: [], changes: 0 },
    { rows: [], changes: 2 },
    { rows: [{ sum: 3 }], changes: 1 },
  ]);
  await thread.close();
});

test("a thread that cannot open its file is over, and says so to all who wait", async () => {
  const thread = new SqliteThread({ file: join(folder, "missing", "a.db"), pragmas: [] });

  const answers = await Promise.allSettled([thread.run("select 1", []), thread.run("select 2", [])]);

  expect(answers).toEqual(answers.map(() => ({ status: "rejected", reason: unavailable })));
  expect(thread.isOver).toBe(true);
  await expect(thread.run("select 3", [])).rejects.toEqual(unavailable);
  await thread.close();
});

test("a thread that is closed finishes what it was asked before", async () => {
  const thread = new SqliteThread({ file: join(folder, "a.db"), pragmas: [] });

  const answer = thread.run("select 1 as one", []);
  await thread.close();

  expect(await answer).toEqual({ rows: [{ one: 1 }], changes: 1 });
  expect(thread.load).toBe(0);
});
