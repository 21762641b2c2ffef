import pg from "pg";

/** All rows of a database as one text, for tests that search for forbidden content. */
export async function readAllRows(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
    const all = [];
    for (const { tablename } of tables.rows)
      all.push((await client.query(`select t::text as row from "${tablename}" t`)).rows);
    return JSON.stringify(all);
  } finally {
    await client.end();
  }
}
