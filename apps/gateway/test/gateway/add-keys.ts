import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { integer, text } from "../../src/storage/database/define-table.js";
import { openDatabase } from "../../src/storage/database/open-database.js";
import { jsonRows } from "../../src/storage/ledger/rows-json.js";

/** Adds keys to the database of a gateway that has not started yet. */
export async function addKeys(folder: string, count: number): Promise<void> {
  const database = await openDatabase({ dataDir: join(folder, "data"), onFailure: () => undefined });
  const { kysely, kind } = database;
  const rows = Array.from({ length: count }, (_, number) => ({
    id: `key_${randomBytes(12).toString("hex")}`,
    name: `key ${String(number).padStart(5, "0")}`,
    number,
  }));
  const given = jsonRows<(typeof rows)[number]>(kind, rows, { id: text(), name: text(), number: integer() });
  await sql`insert into access_keys
      (id, name, revision, created_at, digest, last_four, limits, priority, is_disabled)
    select id, name, number, number, cast(id as blob), 'wxyz', '{}', 'interactive', 0 from ${given}`.execute(
    kysely,
  );
  await database.close();
}
