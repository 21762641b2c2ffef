import { performance } from "node:perf_hooks";
import pg from "pg";

const clients = 8;
const measuredMs = 3000;

/**
 * Commits a second that change one row of a database, from several connections. Replicas that add to the sums of the same
 * key do so: each holds the row until its commit is on disk.
 */
export async function measureSameRowCommits(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: clients });
  let commits = 0;
  try {
    await pool.query("create table same_row (value bigint not null)");
    await pool.query("insert into same_row values (0)");
    const end = performance.now() + measuredMs;
    const change = async () => {
      while (performance.now() < end) {
        await pool.query("update same_row set value = value + 1");
        commits += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, change));
    await pool.query("drop table same_row");
  } finally {
    await pool.end();
  }
  return Math.round((1000 * commits) / measuredMs);
}
