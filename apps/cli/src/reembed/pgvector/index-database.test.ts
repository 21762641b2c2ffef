import { createPostgresDatabase, hasPostgres } from "@model-gateway/test-suite/postgres-server";
import { describe, expect, test } from "vitest";
import { defaultPacing } from "../../remote/retry.js";
import { IndexDatabase } from "./index-database.js";

describe.skipIf(!hasPostgres)("the database of an index", () => {
  test("an interruption does not wait for the statement under way", async () => {
    const server = await createPostgresDatabase();
    const stop = new AbortController();
    const options = { url: server.url, from: "PGVECTOR_URL", pacing: defaultPacing };
    const database = new IndexDatabase({ ...options, signal: stop.signal });
    const observer = new IndexDatabase({ ...options, signal: new AbortController().signal });
    const running = async () => {
      const { rows } = await observer.query(
        "select 1 from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'",
      );
      return rows.length;
    };
    const failure = database.query("select pg_sleep(3600)").catch((reason: unknown) => reason);
    await expect.poll(running).toBe(1);

    stop.abort();

    expect(await failure).toMatchObject({ name: "CommandError", message: "Interrupted." });
    await database.close();
    await expect(database.query("select 1")).rejects.toThrow("Interrupted.");
    await observer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()",
    );
    await observer.close();
    await server.drop();
  });
});
