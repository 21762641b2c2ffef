import { createPostgresDatabase, postgresServer } from "@model-gateway/test-suite/postgres-server";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../../src/storage/database/open-database.js";
import { createSettings } from "../../../src/storage/keys/settings.js";
import { type CutOffProxy, startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describePostgres } from "../../servers/describe-databases.js";

const unavailable = expect.objectContaining({ code: "storage_unavailable", status: 503, retryAfterMs: 1000 });

interface Fixture {
  readonly database: Database;
  readonly proxy: CutOffProxy;
  readonly failures: unknown[];
}

/** Only a hang takes this long. */
const patient = { connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };
/** For a test that waits for a timeout. Everything else takes less, even on a busy machine. */
const impatient = { connectTimeoutMs: 4000, statementTimeoutMs: 3000 };

/** A database behind a proxy that a test can cut off. */
async function createFixture(times = patient): Promise<Fixture> {
  const { url, drop } = await createPostgresDatabase();
  const proxy = await startCutOffProxy(postgresServer);
  const cutOff = new URL(url);
  cutOff.port = new URL(proxy.url).port;
  const failures: unknown[] = [];
  const database = await openDatabase({
    url: cutOff.href,
    dataDir: "unused",
    onFailure: (failure) => failures.push(failure),
    bounds: { connectionsMax: 3, waitingMax: 5, ...times },
  });
  onTestFinished(async () => {
    await database.close();
    await proxy.close();
    await drop();
  });
  return { database, proxy, failures };
}

const settle = ({ database }: Fixture, name = "secret") =>
  createSettings(database).getOrCreate(name, () => "value");

describePostgres("a PostgreSQL that becomes unreachable", () => {
  test("fails with storage_unavailable, and works again when it is back", async () => {
    const fixture = await createFixture();
    await settle(fixture);

    fixture.proxy.kill();
    for (let count = 0; count < 5; count += 1) await expect(settle(fixture)).rejects.toEqual(unavailable);
    fixture.proxy.revive();

    expect(await settle(fixture)).toEqual({ value: "value", isNew: false });
  });

  test("breaks idle connections, which is only reported", async () => {
    const fixture = await createFixture();
    await Promise.all([settle(fixture, "a"), settle(fixture, "b"), settle(fixture, "c")]);

    fixture.proxy.kill();

    await expect.poll(() => fixture.failures.length, { timeout: 90_000 }).toBeGreaterThan(0);
    fixture.proxy.revive();
    expect(await settle(fixture, "a")).toEqual({ value: "value", isNew: false });
  });

  test("in the middle of a transaction rolls it back", async () => {
    const fixture = await createFixture();

    const failed = fixture.database.kysely.transaction().execute(async (transaction) => {
      await transaction.insertInto("settings").values({ name: "half", value: "done" }).execute();
      fixture.proxy.kill();
      await transaction.insertInto("settings").values({ name: "other", value: "done" }).execute();
    });
    await expect(failed).rejects.toEqual(unavailable);
    fixture.proxy.revive();

    expect(await settle(fixture, "half")).toEqual({ value: "value", isNew: true });
  });

  test("times out if it does not reply, even for callers that wait for a connection", async () => {
    const fixture = await createFixture(impatient);
    await settle(fixture);

    fixture.proxy.freeze();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => settle(fixture)));

    expect(results).toEqual(results.map(() => ({ status: "rejected", reason: unavailable })));
    fixture.proxy.revive();
    expect(await settle(fixture)).toEqual({ value: "value", isNew: false });
  });

  test("cancels a statement that takes too long, and its connection stays usable", async () => {
    const fixture = await createFixture(impatient);
    const { kysely } = fixture.database;

    const slow = sql`select pg_sleep(600)`.execute(kysely);

    await expect(slow).rejects.toEqual(unavailable);
    expect(await settle(fixture)).toEqual({ value: "value", isNew: true });
  });

  test("refuses callers beyond the queue limit at once", async () => {
    const fixture = await createFixture();
    const { kysely } = fixture.database;
    const sleep = () => sql`select pg_sleep(0.02)`.execute(kysely);

    const results = await Promise.allSettled(Array.from({ length: 12 }, sleep));

    const refused = results.filter(({ status }) => status === "rejected");
    // Three run and five wait, or a few less, because opening a connection takes time.
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused.length).toBeLessThan(12);
    expect(refused).toEqual(refused.map(() => ({ status: "rejected", reason: unavailable })));
  });
});
