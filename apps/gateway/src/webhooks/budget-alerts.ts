import { hash } from "node:crypto";
import type { Webhook } from "@model-gateway/domain/webhook";
import type { BudgetSpending } from "../limits/budgets.js";
import { type Deliveries, type DeliveryPlanOptions, planDeliveries } from "./deliveries.js";

interface BudgetAlertsOptions {
  readonly sender: DeliveryPlanOptions["sender"];
  readonly deliveries: Pick<Deliveries, "add">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when alerts cannot be stored. It is tried again later. */
  readonly onFailure: (failure: unknown) => void;
}

/** Spending of a key, as seen by this process. */
interface SeenKey {
  readonly periodId: string;
  readonly budgetUsd: number;
  /** The largest share that was handled. */
  share: number;
  /** When all shares are handled again: after a failure. */
  retryAt: number;
}

const retryMs = 60_000;
const seenMax = 10_000;
const forgetAfterMs = 24 * 3_600_000;

/**
 * Alerts webhooks when a key has spent a share of its budget: once for each webhook, key, period, budget and share. The
 * `webhook-id` is derived from these five: the queue of deliveries takes each once, whichever replica adds it first.
 */
export class BudgetAlerts {
  readonly #options: BudgetAlertsOptions;
  readonly #seen = new Map<string, SeenKey>();

  constructor(options: BudgetAlertsOptions) {
    this.#options = options;
  }

  /** Called whenever a key has spent something, so it is cheap while no share is reached. */
  note(spending: BudgetSpending): void {
    const { webhooks } = this.#options.sender;
    if (webhooks.length === 0) return;
    const seen = this.#seenOf(spending);
    const share = spending.spentNanos / spending.limitNanos;
    if (share <= seen.share) return;
    const handled = seen.share;
    seen.share = share;
    const isReached = (one: number) => one > handled && one <= share;
    if (!webhooks.some(({ budgetShares }) => budgetShares.some(isReached))) return;
    void this.#add(spending, isReached).catch((failure) => {
      seen.retryAt = Math.min(seen.retryAt, this.#options.now() + retryMs);
      this.#options.onFailure(failure);
    });
  }

  #seenOf({ keyId, budget, period }: BudgetSpending): SeenKey {
    const known = this.#seen.get(keyId);
    const isCurrent = known?.periodId === period.id && known.budgetUsd === budget.usd;
    if (known !== undefined && isCurrent && this.#options.now() < known.retryAt) return known;
    const fresh = { periodId: period.id, budgetUsd: budget.usd, share: 0, retryAt: Number.POSITIVE_INFINITY };
    this.#seen.delete(keyId);
    this.#seen.set(keyId, fresh);
    // A key that is forgotten here costs a query when it reaches a share again.
    const [oldest] = this.#seen.size > seenMax ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
    return fresh;
  }

  async #add(spending: BudgetSpending, isReached: (share: number) => boolean): Promise<void> {
    const { sender, deliveries, now } = this.#options;
    const at = now();
    await deliveries.add(
      planDeliveries({
        sender,
        kind: "budget",
        eventsFor: (webhook) =>
          webhook.budgetShares.filter(isReached).map((share) => ({
            id: messageIdOf(webhook, spending, share),
            event: eventOf(spending, share, at),
          })),
        at,
        onceUntil: spending.period.endsAt + forgetAfterMs,
      }),
    );
  }
}

function messageIdOf({ url }: Webhook, { keyId, budget, period }: BudgetSpending, share: number): string {
  const digest = hash("sha256", JSON.stringify([url, keyId, period.id, budget, share]));
  return `msg_${digest.slice(0, 32)}`;
}

function eventOf(
  { keyId, keyName, budget, period, spentNanos, limitNanos }: BudgetSpending,
  share: number,
  now: number,
) {
  return {
    type: "budget.share_reached" as const,
    timestamp: new Date(now).toISOString(),
    data: {
      key_id: keyId,
      key_name: keyName,
      share,
      budget,
      spent_usd: spentNanos / 1e9,
      remaining_usd: Math.max(0, limitNanos - spentNanos) / 1e9,
      resets_at: period.endsAt / 1000,
    },
  };
}
