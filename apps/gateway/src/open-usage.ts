import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { openBudgets } from "./limits/budgets.js";
import { openLimits } from "./limits/limits.js";
import type { Storage } from "./open-storage.js";
import { openSharedUsage } from "./storage/open-shared-usage.js";
import type { Ledger } from "./usage/ledger.js";
import type { TabNeeds } from "./usage/tab.js";

export interface UsageNeeds {
  readonly redis: Redis | undefined;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly log: Logger;
}

/** What lets requests in, and counts what they use. */
export interface UsageService extends TabNeeds {
  close(): void;
}

const lookMs = 50;

export function openUsage({ redis, storage, ledger, log }: UsageNeeds): UsageService {
  const shared = redis && openSharedUsage(redis, log);
  const startedAt = Date.now();
  /** What was written before this start is what no counter knows. */
  const untilShipped = async (): Promise<void> => {
    for (;;) {
      const { oldestAgeMs } = ledger.snapshot();
      if (oldestAgeMs === null || Date.now() - oldestAgeMs >= startedAt) return;
      await setTimeout(lookMs, undefined, { ref: false });
    }
  };
  return {
    limits: openLimits({ now: Date.now, ...(shared && { shared: shared.counters }) }),
    budgets: openBudgets({
      now: Date.now,
      spentSince: (keyId, since) => storage.ledger.spentSince(keyId, since),
      untilShipped,
      onLedgerAway: (failure) =>
        log.warn(
          { err: failure },
          "The ledger does not say what a key has spent; its budget counts from now.",
        ),
      ...(shared && { shared: shared.spending }),
    }),
    close: () => shared?.close(),
  };
}
