import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RetentionStore } from "../../usage/ledger/retention.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { Leases } from "../work/leases.js";

/** The lease of the process that deletes. Each step renews it. Two that delete at once would only waste time. */
const leaseName = "ledger_retention";
const leaseMs = 60_000;
/** Rows from before this time may be deleted. It only ever rises, and does so before the first row is deleted. */
const keptSinceName = "ledger_rows_kept_since";

interface RetentionStoreOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createRetentionStore(database: Database, { now }: RetentionStoreOptions): RetentionStore {
  const { kysely } = database;
  const leases = new Leases(database, { now });
  const lease = { name: leaseName, holder: randomUUID() };
  let raisedTo = -1;

  const raiseKeptSince = async (before: number): Promise<void> => {
    if (before <= raisedTo) return;
    await kysely
      .insertInto("settings")
      .values({ name: keptSinceName, value: sortable(before) })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet((is) => ({ value: is.ref("excluded.value") }))
          .where("settings.value", "<", sortable(before)),
      )
      .execute();
    raisedTo = before;
  };

  return {
    deleteOldest: async (before, rowsMax) => {
      if (!(await leases.take(lease, { until: now() + leaseMs }))) return undefined;
      await raiseKeptSince(before);
      const { numDeletedRows } = await deleteStatement(kysely, before, rowsMax).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    release: () => leases.release(lease),
  };
}

/** Exported for tests that check the query plan. */
export function deleteStatement(kysely: Kysely<Tables>, before: number, rowsMax: number) {
  return kysely
    .deleteFrom("ledger_rows")
    .where("id", "in", (among) =>
      among
        .selectFrom("ledger_rows")
        .select("id")
        .where("at", "<", before)
        .orderBy("at")
        .orderBy("id")
        .limit(rowsMax),
    );
}

/** The time from which on the ledger has all of its rows: milliseconds since 1970. Undefined if none was ever deleted. */
export async function readKeptSince(kysely: Kysely<Tables>): Promise<number | undefined> {
  const row = await kysely
    .selectFrom("settings")
    .select("value")
    .where("name", "=", keptSinceName)
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}

/** Settings are text. With leading zeros, text sorts as numbers do. */
function sortable(time: number): string {
  return String(time).padStart(16, "0");
}
