import type { AlertStore } from "../../webhooks/budget-alerts.js";
import type { Database } from "../database/open-database.js";

/** Budget alerts, in a table that all replicas share. */
export function createAlertStore({ kysely }: Database, { now }: { readonly now: () => number }): AlertStore {
  return {
    claim: async (id, { leaseUntil, expiresAt }) => {
      await kysely.deleteFrom("budget_alerts").where("expires_at", "<=", now()).execute();
      // One atomic statement: of all concurrent callers, one finds the alert new, or its lease expired.
      const claimed = await kysely
        .insertInto("budget_alerts")
        .values({ id, lease_until: leaseUntil, sent_at: null, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict
            .column("id")
            .doUpdateSet((is) => ({ lease_until: is.ref("excluded.lease_until") }))
            .where((is) =>
              is.and([is("budget_alerts.sent_at", "is", null), is("budget_alerts.lease_until", "<=", now())]),
            ),
        )
        .returning("id")
        .executeTakeFirst();
      if (claimed !== undefined) return "claimed";
      const row = await kysely
        .selectFrom("budget_alerts")
        .select("sent_at")
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined || row.sent_at === null ? "leased" : "sent";
    },
    confirm: async (id) => {
      await kysely.updateTable("budget_alerts").set({ sent_at: now() }).where("id", "=", id).execute();
    },
  };
}
