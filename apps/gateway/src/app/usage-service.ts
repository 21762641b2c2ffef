import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { Budgets } from "../limits/budgets.js";
import { openLimits } from "../limits/shared-limits.js";
import type { Storage } from "../storage/open-storage.js";
import { openSharedUsage } from "../storage/redis/open-shared-usage.js";
import type { Ledger } from "../usage/ledger/ledger.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import type { UsageMeterOptions } from "../usage/usage-meter.js";
import { BudgetAlerts } from "../webhooks/budget-alerts.js";
import type { Deliveries } from "../webhooks/deliveries.js";
import type { WebhookSender } from "../webhooks/webhook-sender.js";

/** Rate limits and budgets. */
export interface UsageService extends UsageMeterOptions {
  close(): void;
}

interface UsageServiceOptions {
  readonly redis: Redis | undefined;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly webhooks: WebhookSender;
  readonly deliveries: Deliveries;
  readonly log: Logger;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

const pollMs = 50;

export function openUsageService(options: UsageServiceOptions): UsageService {
  const { redis, storage, ledger, webhooks, deliveries, log, now } = options;
  const alerts = new BudgetAlerts({
    sender: webhooks,
    deliveries,
    now: Date.now,
    onFailure: (failure) =>
      log.warn({ err: failure }, "A budget alert could not be stored. It is tried again later."),
  });
  const shared = redis && openSharedUsage(redis, log);
  const startedAt = Date.now();
  // Limits follow the clock forward, as after the machine has slept, but not back: that would prolong a minute.
  let aheadMs = startedAt - now();
  const steadyNow = () => {
    aheadMs = Math.max(aheadMs, Date.now() - now());
    return aheadMs + now();
  };
  /** Rows from before this start are in no counter yet. */
  const untilShipped = async (): Promise<void> => {
    for (;;) {
      const { oldestAgeMs } = ledger.snapshot();
      if (oldestAgeMs === null || Date.now() - oldestAgeMs >= startedAt) return;
      await setTimeout(pollMs, undefined, { ref: false });
    }
  };
  const budgets = new Budgets({
    now: Date.now,
    spentSince: async (keyId, since) => {
      // Before the sum: a row that is stored meanwhile may count twice, but is never missing.
      const abandonedNanos = sumEstimates(ledger.abandoned, keyId, since);
      return abandonedNanos + (await storage.ledger.spentSince(keyId, since));
    },
    spentByKey: (keyIds, since) => storage.ledger.spentByKey(keyIds, since),
    untilShipped,
    onLedgerUnavailable: (failure) =>
      log.warn(
        { err: failure },
        "The ledger cannot be read, so the spending of a key is unknown. Its budget counts from now.",
      ),
    onSpending: (spending) => alerts.note(spending),
    ...(shared && { shared: shared.spending }),
  });
  budgets.countAbandoned(ledger.abandoned);
  return {
    limits: openLimits({ now: steadyNow, ...(shared && { shared: shared.counters }) }),
    budgets,
    close: () => shared?.close(),
  };
}

/** The estimated cost of a key's requests that the last process did not end. */
function sumEstimates(rows: readonly LedgerRow[], keyId: string, since: number): number {
  const ofKey = rows.filter((row) => row.keyId === keyId && row.at >= since);
  return ofKey.reduce((sum, { estimatedNanos }) => sum + estimatedNanos, 0);
}
