import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { describePgvector } from "../../servers/pgvector.js";
import { batchSuite } from "./batch-suite.js";
import type { CommandOptions } from "./run-command.js";

const suite = batchSuite();

const small = { limits: { lines: 7, bytes: 1_000_000 } };

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: CommandOptions = {},
) {
  const all = { GATEWAY_KEY: testKey, ...environment };
  const result = await suite.run(["reembed", ...args], { environment: all, ...small, ...options });
  return { ...result, output: result.stdout + result.stderr };
}

describePgvector("pgvector", (database) => {
  let client: pg.Client;
  const secret = "a-secret-password";
  const environment = () => {
    const url = new URL(database().url);
    url.password = secret;
    return { PGVECTOR_URL: url.href };
  };
  const target = ["--table", "passages", "--column", "embedding_new"];
  const query = ["--query", "SELECT id, body AS text FROM passages -- all of them;"];
  const runArgs = ["--from", "pgvector", ...query, ...target, "--model", "text", "--run"];

  /** One statement at a time, since PGlite has one connection. */
  async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    client = new pg.Client({ connectionString: database().url });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  beforeEach(async () => {
    await sql("CREATE EXTENSION IF NOT EXISTS vector");
    await sql("DROP TABLE IF EXISTS passages");
    await sql("CREATE TABLE passages (id bigint PRIMARY KEY, body text, embedding vector(3))");
    await sql(`INSERT INTO passages
      SELECT n, CASE WHEN n = 13 THEN NULL ELSE 'text ' || n END, ('[' || n || ',1,' || n % 5 || ']')::vector
      FROM generate_series(1, 230) AS n`);
  });

  test("new columns get the vectors and the id of the space, and the old ones stay", async () => {
    const { exitCode, stdout, stderr } = await run(runArgs, environment(), {
      limits: { lines: 150, bytes: 1_000_000 },
    });

    const rows = await sql(
      "SELECT id::int, embedding_new::text AS vector, embedding_new_space AS space FROM passages WHERE embedding_new IS NOT NULL ORDER BY id",
    );
    const [space] = new Set(rows.map((row) => row.space));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain(
      "Added the column embedding_new vector(8) to passages.\nAdded the column embedding_new_space text to passages.\n",
    );
    expect(stdout).toMatch(/\n {2}skipped +1 row without a text\n/);
    expect(space).toMatch(/^\w+:8$/);
    expect(rows).toHaveLength(229);
    expect(JSON.parse(String(rows[0]?.vector))).toEqual(vectorOf("text 1", 8));
    expect(await sql("SELECT count(embedding)::int AS old FROM passages")).toEqual([{ old: 230 }]);
  });

  test("a run that was stopped goes on, with rows that were deleted and added in the meantime", async () => {
    const stop = new AbortController();
    suite.fake.faults.beforeLine = (text) => {
      if (text === "text 150") stop.abort();
    };
    const limits = { lines: 100, bytes: 1_000_000 };

    const stopped = await run(runArgs, environment(), { signal: stop.signal, limits });
    await sql("DELETE FROM passages WHERE id IN (2, 145, 230)");
    await sql("INSERT INTO passages (id, body) VALUES (231, 'text 231')");
    const again = await run([...runArgs, "--json"], environment(), { limits });

    const rows = await sql("SELECT count(*)::int AS rows, count(embedding_new)::int AS new FROM passages");
    expect(stopped.exitCode).toBe(1);
    expect(again.exitCode).toBe(0);
    expect(rows).toEqual([{ rows: 228, new: 227 }]);
    expect(JSON.parse(again.stdout)).toMatchObject({ failed: 0, skipped: 1 });
  });

  test("a query may leave out the rows that are done, and the vectors may go to a file", async () => {
    await run(runArgs, environment(), { limits: { lines: 500, bytes: 1_000_000 } });
    await sql("INSERT INTO passages (id, body) VALUES (1000, 'late')");
    const rest = ["--query", "SELECT id, body AS text FROM passages WHERE embedding_new IS NULL"];

    const { exitCode } = await run(
      ["--from", "pgvector", ...rest, "--model", "text", "--run", "--out", "rest.jsonl"],
      environment(),
    );

    const lines = readFileSync(join(suite.folder, "rest.jsonl"), "utf8").trim().split("\n");
    expect(exitCode).toBe(0);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: "1000", embedding: vectorOf("late", 8) },
    ]);
  });

  test("compare searches both columns in the database", async () => {
    await sql("ALTER TABLE passages ADD COLUMN embedding_new vector(3)");
    await sql("UPDATE passages SET embedding_new = embedding WHERE id <= 200");
    const compare = ["--from", "pgvector", ...target, "--old-column", "embedding", "--compare", "25"];

    const same = await run([...compare, "--json"], environment());
    await sql(
      "UPDATE passages SET embedding_new = ('[' || id % 7 || ',' || id % 11 || ',1]')::vector WHERE id <= 200",
    );
    const other = await run([...compare, "--json"], environment());

    expect(JSON.parse(same.stdout)).toMatchObject({
      rows: 200,
      queries: 25,
      k: 10,
      recall: 1,
      nearest_kept: 1,
    });
    expect(JSON.parse(other.stdout).recall).toBeLessThan(0.5);
    expect(JSON.parse(other.stdout).between).toEqual(["embedding", "embedding_new"]);
  });

  test.each([
    [
      ["--query", "SELECT body FROM passages"],
      "--query must return the columns id and text, and returns body.",
    ],
    [["--query", "SELECT 1 AS id, body AS text FROM passages"], '--query returns the id "1" more than once.'],
    [["--query", "SELECT nothing"], 'column "nothing" does not exist'],
    [["--query", "DELETE FROM passages"], "syntax error"],
    [
      ["--query", "SELECT id, body AS text FROM passages", "--table", "nowhere"],
      'relation "nowhere" does not exist',
    ],
    [
      ["--query", "SELECT id, body AS text FROM passages", "--id-column", "key"],
      "has no column key. Name its key with --id-column.",
    ],
    [
      ["--query", "SELECT id, body AS text FROM passages", "--column", "body"],
      "has the type text, and not vector.",
    ],
    [
      ["--query", "SELECT id, body AS text FROM passages", "--column", "embedding"],
      "holds 3 numbers a row, and the model returns 8.",
    ],
    [
      ["--query", "SELECT id, body AS text FROM passages", "--space-field", "embedding"],
      "has the type vector(3), and not text.",
    ],
  ])("%j is explained before anything is bought", async (changed, message) => {
    const { exitCode, output } = await run([...runArgs, ...changed], environment());

    expect(exitCode).toBe(1);
    expect(output).toContain(message);
    expect(output).not.toContain(secret);
    expect(suite.fake.batches.size).toBe(0);
    expect(await sql("SELECT count(*)::int AS rows FROM passages")).toEqual([{ rows: 230 }]);
  });
});

test.each([
  [{}, "Set PGVECTOR_URL to the address of the database with the index"],
  [
    { PGVECTOR_URL: "mysql://root:a-secret-password@db/x" },
    "PGVECTOR_URL must be an address such as postgres://",
  ],
  [{ PGVECTOR_URL: "postgres://me:a-secret-password@127.0.0.1:1/x" }, "PostgreSQL at 127.0.0.1:1/x: "],
])("the address %j is refused without its password", async (environment, message) => {
  const query = ["--query", "SELECT id, text FROM t"];

  const { exitCode, output } = await run(
    ["--from", "pgvector", ...query, "--model", "text", "--estimate"],
    environment,
  );

  expect(exitCode).toBe(1);
  expect(output).toContain(message);
  expect(output).not.toContain("a-secret");
});
