import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../src/storage/database/open-database.js";
import { createSettings } from "../../src/storage/keys/settings.js";
import { type CutOffProxy, startCutOffProxy } from "../redis/cut-off-proxy.js";
import { describePostgres } from "./describe-databases.js";
import { createPostgresDatabase, postgresServer } from "./postgres-server.js";

const unavailable = expect.objectContaining({ code: "storage_unavailable", status: 503, retryAfterMs: 1000 });

interface Fixture {
  readonly database: Database;
  readonly proxy: CutOffProxy;
  readonly failures: unknown[];
}

/** A gateway's database behind a line that a test can cut. */
async function createFixture(): Promise<Fixture> {
  const { url, drop } = await createPostgresDatabase();
  const proxy = await startCutOffProxy(postgresServer);
  const cutOff = new URL(url);
  cutOff.port = new URL(proxy.url).port;
  const failures: unknown[] = [];
  const database = await openDatabase({
    url: cutOff.href,
    dataDir: "unused",
    onFailure: (failure) => failures.push(failure),
    bounds: { connectionsMax: 3, waitingMax: 5, connectTimeoutMs: 2000, statementTimeoutMs: 1000 },
  });
  onTestFinished(async () => {
    await database.close();
    await proxy.close();
    await drop();
  });
  return { database, proxy, failures };
}

const ask = ({ database }: Fixture, name = "secret") =>
  createSettings(database).settleOnce(name, () => "value");

describePostgres("a PostgreSQL that goes away", () => {
  test("is refused while it is gone, and asked again when it is back", async () => {
    const fixture = await createFixture();
    await ask(fixture);

    fixture.proxy.kill();
    for (let count = 0; count < 5; count += 1) await expect(ask(fixture)).rejects.toEqual(unavailable);
    fixture.proxy.revive();

    expect(await ask(fixture)).toEqual({ value: "value", isNew: false });
  });

  test("breaks idle connections, which is reported and nothing more", async () => {
    const fixture = await createFixture();
    await Promise.all([ask(fixture, "a"), ask(fixture, "b"), ask(fixture, "c")]);

    fixture.proxy.kill();

    await expect.poll(() => fixture.failures.length).toBeGreaterThan(0);
    fixture.proxy.revive();
    expect(await ask(fixture, "a")).toEqual({ value: "value", isNew: false });
  });

  test("in the middle of a transaction takes all of it back", async () => {
    const fixture = await createFixture();

    const failed = fixture.database.kysely.transaction().execute(async (transaction) => {
      await transaction.insertInto("settings").values({ name: "half", value: "done" }).execute();
      fixture.proxy.kill();
      await transaction.insertInto("settings").values({ name: "other", value: "done" }).execute();
    });
    await expect(failed).rejects.toEqual(unavailable);
    fixture.proxy.revive();

    expect(await ask(fixture, "half")).toEqual({ value: "value", isNew: true });
  });

  test("without a word is given up in time, with everyone who waits for a connection", async () => {
    const fixture = await createFixture();
    await ask(fixture);

    fixture.proxy.freeze();
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => ask(fixture)));

    expect(answers).toEqual(answers.map(() => ({ status: "rejected", reason: unavailable })));
    fixture.proxy.revive();
    expect(await ask(fixture)).toEqual({ value: "value", isNew: false });
  });

  test("a statement that takes too long is ended by the server, and its connection serves on", async () => {
    const fixture = await createFixture();
    const { kysely } = fixture.database;

    const slow = sql`select pg_sleep(5)`.execute(kysely);

    await expect(slow).rejects.toEqual(unavailable);
    expect(await ask(fixture)).toEqual({ value: "value", isNew: true });
  });

  test("more than may wait are refused at once", async () => {
    const fixture = await createFixture();
    const { kysely } = fixture.database;
    const sleep = () => sql`select pg_sleep(0.02)`.execute(kysely);

    const answers = await Promise.allSettled(Array.from({ length: 12 }, sleep));

    const refused = answers.filter(({ status }) => status === "rejected");
    // Three have a connection and five wait, or a few less, because a connection takes its time.
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused.length).toBeLessThan(12);
    expect(refused).toEqual(refused.map(() => ({ status: "rejected", reason: unavailable })));
  });
});
