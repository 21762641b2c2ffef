import { hash } from "node:crypto";
import type { Webhook } from "../domain/webhook.js";
import type { BudgetSpending } from "../limits/budgets.js";
import { deliveryAgeMsMax } from "./delivery-queue.js";
import type { WebhookSender } from "./webhook-sender.js";

/** Which alerts were sent, for all replicas and across restarts. */
export interface AlertStore {
  /**
   * Leases the right to send an alert until a time, to one replica. `sent`: it was sent before. `leased`: another
   * replica is sending it.
   */
  claim(id: string, times: { leaseUntil: number; expiresAt: number }): Promise<"claimed" | "leased" | "sent">;
  /** The receiver has it. */
  confirm(id: string): Promise<void>;
}

interface BudgetAlertsOptions {
  readonly sender: Pick<WebhookSender, "webhooks" | "send">;
  readonly store: AlertStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when an alert cannot be claimed or confirmed. It is tried again later. */
  readonly onFailure: (failure: unknown) => void;
}

/** Spending of a key, as seen by this process. */
interface SeenKey {
  readonly periodId: string;
  readonly budgetUsd: number;
  /** The largest share that was handled. */
  share: number;
  /** When all shares are handled again: after a failure, or when the lease of another replica has ended. */
  retryAt: number;
}

const leaseMs = deliveryAgeMsMax + 60_000;
const retryMs = 60_000;
const seenMax = 10_000;
const forgetAfterMs = 24 * 3_600_000;

/**
 * Alerts webhooks when a key has spent a share of its budget: at least once for each webhook, key, period, budget and
 * share, and exactly once unless a process dies or the database fails between the delivery and its confirmation. The
 * `webhook-id` is derived from these five, so a receiver recognises a repetition.
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
    for (const webhook of webhooks.filter(({ events }) => events.includes("budget")))
      for (const one of webhook.budgetShares)
        if (one > handled && one <= share) void this.#send(webhook, one, { spending, seen });
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

  async #send(
    webhook: Webhook,
    share: number,
    { spending, seen }: { readonly spending: BudgetSpending; readonly seen: SeenKey },
  ): Promise<void> {
    const { sender, store, now, onFailure } = this.#options;
    const { keyId, budget, period } = spending;
    const id = `msg_${hash("sha256", JSON.stringify([webhook.url, keyId, period.id, budget, share])).slice(0, 32)}`;
    try {
      const claim = await store.claim(id, {
        leaseUntil: now() + leaseMs,
        expiresAt: period.endsAt + forgetAfterMs,
      });
      if (claim === "leased") seen.retryAt = Math.min(seen.retryAt, now() + leaseMs);
      if (claim !== "claimed") return;
      sender.send(webhook, eventOf(spending, share, now()), {
        id,
        onDelivered: () => void store.confirm(id).catch(onFailure),
      });
    } catch (failure) {
      seen.retryAt = Math.min(seen.retryAt, now() + retryMs);
      onFailure(failure);
    }
  }
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
