import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { describeDatabases } from "../../../../test/servers/describe-databases.js";
import { noDurations } from "../../../domain/duration-histogram.js";
import { rowOf } from "../../../usage/test/ledger-rows.js";
import { createLedgerStore } from "../../ledger/ledger-store.js";
import { createKeysAndLedger } from "./0001-keys-and-ledger.js";
import { addEstimatedTokens } from "./0004-estimated-tokens.js";
import { addUsageByUpstream } from "./0005-usage-by-upstream.js";
import { addCacheSavings } from "./0007-cache-savings.js";

const hour = Date.UTC(2026, 7, 19, 12);

describeDatabases(
  "the migration to usage by upstream",
  ({ database }) => {
    test("keeps what was summed before, and counts on", async () => {
      const { kind } = database();
      // Other tables than those of today.
      const kysely = database().kysely as unknown as Kysely<unknown>;
      await dropTables(kysely);
      await createKeysAndLedger(kysely, kind);
      await addEstimatedTokens(kysely);
      for (const table of ["usage_hours", "usage_days"])
        await sql`insert into ${sql.table(table)} values
          (${sql.lit(hour - (table === "usage_days" ? 12 * 3_600_000 : 0))},
            'key_1', 'small', 'createEmbedding', 'batch', 7, 1, 70, 0, 0, 700, 2)`.execute(kysely);

      await addUsageByUpstream(kysely, kind);
      // The store has the columns of today.
      await addCacheSavings(kysely);
      const store = createLedgerStore(database());
      const before = await store.usage({ groupBy: ["upstream"], filter: {} });
      await store.add([rowOf(1, { at: hour, model: "small", costNanos: 1 })]);

      const sums = { requests: 7, failures: 1, inputTokens: 70, outputTokens: 0, images: 0, unpriced: 2 };
      const cached = { cachedInputs: 0, savedNanos: 0 };
      expect(before).toEqual([
        { upstream: null, ...sums, ...cached, costNanos: 700, durations: noDurations },
      ]);
      expect(await store.usage({ groupBy: ["hour", "model"], filter: {} })).toMatchObject([
        { startsAt: hour, model: "small", ...sums, requests: 8, inputTokens: 71, costNanos: 701 },
      ]);
      expect(await store.spentSince("key_1", hour)).toBe(701);
    });
  },
  { isKept: true },
);

async function dropTables(kysely: Kysely<unknown>): Promise<void> {
  for (const { name } of await kysely.introspection.getTables())
    await kysely.schema.dropTable(name).execute();
}
