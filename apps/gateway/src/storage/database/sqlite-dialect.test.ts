import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageUnavailable } from "@model-gateway/domain/errors";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteDialect, markLookups } from "./sqlite-dialect.js";
import { startSqliteWorker } from "./sqlite-thread.js";

interface Tables {
  readonly settings: { readonly name: string };
  readonly ledger_rows: { readonly id: string };
}

let folder: string;
let kysely: Kysely<Tables>;
let threads: number;
/** Fails all work while it is set. */
let unavailable: Error | undefined;

beforeEach(async () => {
  threads = 0;
  unavailable = undefined;
  folder = mkdtempSync(join(tmpdir(), "dialect-"));
  const dialect = createSqliteDialect({
    file: join(folder, "a.db"),
    waitingMax: 100,
    readersMax: 2,
    startWorker: (...given) => {
      threads += 1;
      return startSqliteWorker(...given);
    },
    guard: (begin) => (unavailable === undefined ? begin() : Promise.reject(unavailable)),
  });
  kysely = new Kysely({ dialect });
  await sql`create table settings (name text)`.execute(kysely);
  await sql`create table ledger_rows (id text)`.execute(kysely);
});
afterEach(async () => {
  await kysely.destroy();
  rmSync(folder, { recursive: true });
});

const readSettings = () => kysely.withPlugin(markLookups).selectFrom("settings").selectAll().execute();

test("the writer does lookups, so there is one thread", async () => {
  await kysely.insertInto("settings").values({ name: "one" }).execute();

  const results = await Promise.all([readSettings(), readSettings(), readSettings()]);

  expect(results).toEqual([[{ name: "one" }], [{ name: "one" }], [{ name: "one" }]]);
  expect(threads).toBe(1);
});

test("work fails at once while the database is not open yet, and never meets a table that is missing", async () => {
  unavailable = storageUnavailable(new Error("There is no room."));

  await expect(sql`select * from jobs`.execute(kysely)).rejects.toBe(unavailable);
  await expect(kysely.transaction().execute(() => readSettings())).rejects.toBe(unavailable);

  unavailable = undefined;
  expect(await readSettings()).toEqual([]);
});

test("any other read has another thread, and so have the lookups after it", async () => {
  await kysely.insertInto("ledger_rows").values({ id: "req_1" }).execute();

  const rows = await kysely.selectFrom("ledger_rows").selectAll().execute();
  const settings = await readSettings();

  expect({ rows, settings, threads }).toEqual({ rows: [{ id: "req_1" }], settings: [], threads: 2 });
});

test("a lookup during a transaction has another thread, and sees only what was committed", async () => {
  const seen = await kysely.transaction().execute(async (transaction) => {
    await transaction.insertInto("settings").values({ name: "half" }).execute();
    return readSettings();
  });

  expect({ seen, threads }).toEqual({ seen: [], threads: 2 });
});

test("the writer takes a bounded number of lookups at once", async () => {
  const results = await Promise.all(Array.from({ length: 9 }, readSettings));

  expect(results).toEqual(results.map(() => []));
  expect(threads).toBe(2);
});

test("a write that waits goes before the lookups that come after it", async () => {
  const first = readSettings();
  const written = kysely.insertInto("settings").values({ name: "one" }).execute();
  const later = readSettings();

  expect(await first).toEqual([]);
  await Promise.all([written, later]);
  expect(threads).toBe(2);
});
