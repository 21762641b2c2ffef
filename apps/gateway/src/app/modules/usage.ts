import { setTimeout } from "node:timers/promises";
import { Budgets } from "../../limits/budgets.js";
import { openLimits } from "../../limits/shared-limits.js";
import type { SharedSpending } from "../../limits/shared-spending.js";
import { openSharedUsage } from "../../storage/redis/open-shared-usage.js";
import type { Ledger } from "../../usage/ledger/ledger.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import type { UsageMeterOptions } from "../../usage/usage-meter.js";
import { BudgetAlerts } from "../../webhooks/budget-alerts.js";
import type { Deliveries } from "../../webhooks/deliveries.js";
import type { WebhookSender } from "../../webhooks/webhook-sender.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

interface UsageNeeds extends Foundation {
  readonly ledger: Ledger;
  readonly webhooks: WebhookSender;
  readonly deliveries: Deliveries;
}

/** Rate limits and budgets. */
export const usage = defineModule({
  name: "usage",
  open: (needs: UsageNeeds) => {
    const { redis, log, now } = needs;
    const shared = redis && openSharedUsage(redis, log);
    // Limits follow the clock forward, as after the machine has slept, but not back: that would prolong a minute.
    let aheadMs = Date.now() - now();
    const steadyNow = () => {
      aheadMs = Math.max(aheadMs, Date.now() - now());
      return aheadMs + now();
    };
    const metered: UsageMeterOptions = {
      limits: openLimits({ now: steadyNow, ...(shared && { shared: shared.counters }) }),
      budgets: openBudgets(needs, shared?.spending),
    };
    return { services: { usage: metered }, close: () => shared?.close() };
  },
});

function openBudgets(needs: UsageNeeds, spending: SharedSpending | undefined): Budgets {
  const { storage, ledger, log } = needs;
  const alerts = openAlerts(needs);
  const budgets = new Budgets({
    now: Date.now,
    spentSince: async (keyId, since) => {
      // Before the sum: a row that is stored meanwhile may count twice, but is never missing.
      const abandonedNanos = sumEstimates(ledger.abandoned, keyId, since);
      return abandonedNanos + (await storage.ledger.spentSince(keyId, since));
    },
    spentByKey: (keyIds, since) => storage.ledger.spentByKey(keyIds, since),
    untilShipped: untilShipped(ledger),
    onLedgerUnavailable: (failure) =>
      log.warn(
        { err: failure },
        "The ledger cannot be read, so the spending of a key is unknown. Its budget counts from now.",
      ),
    onSpending: (spent) => alerts.note(spent),
    ...(spending && { shared: spending }),
  });
  budgets.countAbandoned(ledger.abandoned);
  return budgets;
}

function openAlerts({ webhooks, deliveries, log }: UsageNeeds): BudgetAlerts {
  return new BudgetAlerts({
    sender: webhooks,
    deliveries,
    now: Date.now,
    onFailure: (failure) =>
      log.warn({ err: failure }, "A budget alert could not be stored. It is tried again later."),
  });
}

const pollMs = 50;

/** Waits for rows from before this start, which are in no counter yet. */
function untilShipped(ledger: Ledger): () => Promise<void> {
  const startedAt = Date.now();
  return async () => {
    for (;;) {
      const { oldestAgeMs } = ledger.snapshot();
      if (oldestAgeMs === null || Date.now() - oldestAgeMs >= startedAt) return;
      await setTimeout(pollMs, undefined, { ref: false });
    }
  };
}

/** The estimated cost of a key's requests that the last process did not end. */
function sumEstimates(rows: readonly LedgerRow[], keyId: string, since: number): number {
  const ofKey = rows.filter((row) => row.keyId === keyId && row.at >= since);
  return ofKey.reduce((sum, { estimatedNanos }) => sum + estimatedNanos, 0);
}
