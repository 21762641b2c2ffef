import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteFile } from "@model-gateway/data-folder/sqlite-file.cjs";
import { createPostgresDatabase } from "@model-gateway/test-suite/postgres-server";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { describeDatabaseOfTier, describePostgres } from "../../../test/servers/describe-databases.js";
import { createSettings } from "../keys/settings.js";
import { type Database, openDatabase } from "./open-database.js";

const onFailure = () => undefined;
const isUnavailable = expect.objectContaining({ code: "storage_unavailable", status: 503 });

describeDatabaseOfTier("a database", ({ database, open }) => {
  test("stored data is there after reopening", async () => {
    await createSettings(database()).getOrCreate("secret", () => "one");

    const again = createSettings(await open());

    expect(await again.getOrCreate("secret", () => "two")).toEqual({ value: "one", isNew: false });
  });

  test("tables of another version are refused with a remedy, and stay as they are", async () => {
    const { kysely, kind } = database();
    const migration = { name: "0000-other", timestamp: new Date(0).toISOString() };
    const migrations = sql.table("kysely_migration");
    await sql`insert into ${migrations} (name, timestamp) values (${migration.name}, ${migration.timestamp})`.execute(
      kysely,
    );
    onTestFinished(async () => {
      await sql`delete from ${migrations} where name = ${migration.name}`.execute(kysely);
    });
    await createSettings(database()).getOrCreate("secret", () => "one");

    await expect(open()).rejects.toThrow(
      kind === "sqlite"
        ? /^The database .*gateway\.db cannot be opened: another version of the gateway created its tables \(0000-other\)\. Run that version, or move or delete the data folder to start with an empty one\.$/
        : /^The database .* cannot be opened: another version of the gateway created its tables \(0000-other\)\. Run that version, or let DATABASE_URL name an empty database\.$/,
    );
    expect(await kysely.selectFrom("settings").select("value").execute()).toEqual([{ value: "one" }]);
  });

  test("a failed transaction leaves nothing behind, not even a table", async () => {
    const { kysely } = database();

    const failed = kysely.transaction().execute(async (transaction) => {
      await transaction.schema.createTable("half").addColumn("id", "text").execute();
      await transaction.insertInto("settings").values({ name: "half", value: "done" }).execute();
      throw new Error("abort");
    });
    await expect(failed).rejects.toThrow("abort");

    expect((await kysely.introspection.getTables()).map(({ name }) => name)).not.toContain("half");
    expect(await kysely.selectFrom("settings").selectAll().execute()).toEqual([]);
  });

  test("uncommitted changes are invisible to others, and transactions of one process take turns", async () => {
    const { kysely } = database();
    await kysely.insertInto("settings").values({ name: "count", value: "0" }).execute();
    const seen: unknown[] = [];

    const raise = () =>
      kysely.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("settings")
          .set({ value: sql<string>`cast(cast(value as bigint) + 1 as text)` })
          .execute();
        seen.push(await kysely.selectFrom("settings").select("value").executeTakeFirst());
      });
    await Promise.all([raise(), raise(), raise()]);

    expect(seen).toEqual([{ value: "0" }, { value: "1" }, { value: "2" }]);
  });

  test("a wrong statement fails alone, and the next one works", async () => {
    const { kysely } = database();

    await expect(sql`select * from nowhere`.execute(kysely)).rejects.not.toEqual(isUnavailable);
    expect(await createSettings(database()).getOrCreate("b", () => "c")).toEqual({ value: "c", isNew: true });
  });

  test("close waits for statements in flight, and later statements fail", async () => {
    const closing = await open();
    const writing = createSettings(closing).getOrCreate("last", () => "written");

    await writing;
    await closing.close();

    await expect(closing.kysely.selectFrom("settings").selectAll().execute()).rejects.toThrow();
    expect(await createSettings(database()).getOrCreate("last", () => "other")).toEqual({
      value: "written",
      isNew: false,
    });
  });
});

describe("a SQLite file", () => {
  let dataDir: string;
  const opened: Database[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "sqlite-"));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    rmSync(dataDir, { recursive: true });
  });

  async function openFile(waitingMax?: number): Promise<Database> {
    const bounds = waitingMax === undefined ? {} : { waitingMax };
    const database = await openDatabase({ dataDir, onFailure, bounds });
    opened.push(database);
    return database;
  }

  test("is readable by its owner only, as are the files that SQLite puts beside it", async () => {
    await openFile();

    const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
    expect(modes).toEqual([
      ["gateway.db", 0o600],
      ["gateway.db-shm", 0o600],
      ["gateway.db-wal", 0o600],
    ]);
  });

  test("of a commit with many migrations is refused, and stays as it is", async () => {
    const file = join(dataDir, "gateway.db");
    const before = new SqliteFile(file);
    before.exec(`
      create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
      create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
      insert into "kysely_migration_lock" values ('migration_lock', 0);
      insert into "kysely_migration" values
        ('0001-tables', '2026-11-17T09:00:00.000Z'), ('0002-failure', '2026-11-17T09:00:00.001Z'),
        ('0019-response-holders', '2026-11-18T21:00:00.000Z');
      create table settings (name text primary key, value text not null);
      insert into settings values ('secret', 'one');
    `);

    await expect(openFile()).rejects.toThrow(
      `The database ${file} cannot be opened: another version of the gateway created its tables (0019-response-holders). ` +
        "Run that version, or move or delete the data folder to start with an empty one.",
    );
    const found = before
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .all([]);
    expect(found).toEqual(
      ["kysely_migration", "kysely_migration_lock", "settings"].map((name) => ({ name })),
    );
    before.close();
  });

  test("that is not a database is refused with a clear message", async () => {
    writeFileSync(
      join(dataDir, "gateway.db"),
      "not a database, but long enough to look like one".repeat(100),
    );

    await expect(openFile()).rejects.toThrow(
      `The database ${join(dataDir, "gateway.db")} cannot be opened: file is not a database`,
    );
  });

  /** Runs for about a second, without a table. */
  const longRead = (database: Database) =>
    database.kysely
      .selectFrom(
        sql<{
          n: number;
        }>`(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000000)
          select n from numbers)`.as("numbers"),
      )
      .select(sql<number>`count(*)`.as("count"))
      .executeTakeFirstOrThrow();

  test("does not block the event loop or short statements during a long read", async () => {
    const database = await openFile();
    const settings = createSettings(database);
    let isOver = false;
    let turns = 0;

    const reading = longRead(database).then((result) => {
      isOver = true;
      return result;
    });
    while (!isOver && turns < 5) {
      await settings.getOrCreate(`name ${turns}`, () => "value");
      turns += 1;
    }

    expect(isOver).toBe(false);
    expect(await reading).toEqual({ count: 2_000_000 });
  });

  test("refuses statements beyond the queue limit, and keeps working", async () => {
    const database = await openFile(3);
    const settings = createSettings(database);

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        database.kysely
          .insertInto("settings")
          .values({ name: `name ${index}`, value: "" })
          .execute(),
      ),
    );

    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => "fulfilled"),
      ...Array.from({ length: 16 }, () => "rejected"),
    ]);
    expect(results.at(-1)).toEqual({ status: "rejected", reason: isUnavailable });
    expect(await settings.getOrCreate("later", () => "value")).toEqual({ value: "value", isNew: true });
  });

  test("is never given a value that would crash the process", async () => {
    const { kysely } = await openFile();

    const given = kysely.selectFrom("settings").selectAll().where(sql`1`, "=", sql`${true}`).execute();

    await expect(given).rejects.toThrow("SQLite does not accept a value of type boolean.");
  });

  test("returns bytes and large numbers unchanged", async () => {
    const { kysely } = await openFile();
    const bytes = Buffer.from([0, 1, 255]);

    const { rows } = await sql`select ${bytes} as bytes, ${Number.MAX_SAFE_INTEGER} as large`.execute(kysely);

    expect(rows).toEqual([{ bytes, large: Number.MAX_SAFE_INTEGER }]);
  });
});

describePostgres("PostgreSQL", () => {
  test("replicas that start together migrate the schema once", async () => {
    const { url, drop } = await createPostgresDatabase();
    onTestFinished(drop);

    const replicas = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase({ url, dataDir: "unused", onFailure })),
    );

    for (const { kysely } of replicas)
      expect(await kysely.selectFrom("access_keys").selectAll().execute()).toEqual([]);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  test("with current tables is opened while another session holds the lock of migrations", async () => {
    const { url, drop } = await createPostgresDatabase();
    onTestFinished(drop);
    const first = await openDatabase({ url, dataDir: "unused", onFailure, bounds: { connectionsMax: 1 } });
    // The lock of Kysely's migrator, as a pooler would leave it behind.
    await sql`select pg_advisory_lock(3853314791062309107)`.execute(first.kysely);

    const second = await openDatabase({ url, dataDir: "unused", onFailure });

    expect(await second.kysely.selectFrom("access_keys").selectAll().execute()).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  test("prepares a statement once on a connection, and others not at all", async () => {
    const { url, drop } = await createPostgresDatabase();
    onTestFinished(drop);
    const database = await openDatabase({ url, dataDir: "unused", onFailure, bounds: { connectionsMax: 1 } });
    const { kysely } = database;
    const [one, two] = [sql`select 1 as number`.compile(kysely), sql`select 2 as number`.compile(kysely)];

    for (const statement of [one, two, one]) database.prepare(statement);
    const replies = [];
    for (const statement of [one, two, one, sql`select 3 as number`.compile(kysely)])
      replies.push(...(await kysely.executeQuery(statement)).rows);

    expect(replies).toEqual([{ number: 1 }, { number: 2 }, { number: 1 }, { number: 3 }]);
    const prepared = sql`select name, statement from pg_prepared_statements order by name`;
    expect((await prepared.execute(kysely)).rows).toEqual([
      { name: "gateway_0", statement: one.sql },
      { name: "gateway_1", statement: two.sql },
    ]);
    await database.close();
  });

  test("that is unreachable is named in the message without its password", async () => {
    const url = "postgres://user:hunter2@127.0.0.1:1/ledger";

    const opening = openDatabase({ url, dataDir: "unused", onFailure });

    await expect(opening).rejects.toThrow(
      /^The database 127.0.0.1:1\/ledger cannot be opened: connect ECONNREFUSED 127.0.0.1:1$/,
    );
  });
});
