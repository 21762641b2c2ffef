import type { Budget } from "../domain/access-key.js";
import { GatewayError } from "../errors.js";

export interface AccountNeeds {
  readonly keyId: string;
  readonly period: BudgetPeriod;
  /** What the ledger says was spent in the period. */
  readonly readLedger: () => Promise<number>;
  /** How long a request waits for the ledger. */
  readonly waitMs: number;
  /** How long nobody asks the ledger again after it failed. */
  readonly retryMs: number;
  readonly onFailure: (failure: unknown) => void;
}

/** What a key has spent in a period, as far as this process knows, in billionths of a US dollar. */
export class Account {
  readonly needs: AccountNeeds;
  spentNanos = 0;
  /** What requests under way may still spend. */
  reservedNanos = 0;
  /** What was spent, and other replicas have not heard of. */
  owedNanos = 0;
  /** Whether what was spent before this process began is known. */
  isSeeded = false;
  #opening: Promise<void> | undefined;
  #isAsking = false;
  #retryAt = 0;

  constructor(needs: AccountNeeds) {
    this.needs = needs;
  }

  /**
   * Asks the ledger what was spent before. The first request waits for it, for a while; a ledger that is away delays no
   * other, and is asked again in the background. Undefined where there is nothing to wait for.
   */
  open(now: number): Promise<void> | undefined {
    if (this.isSeeded || this.#isAsking) return this.#opening;
    if (now < this.#retryAt) return undefined;
    const isFirst = this.#retryAt === 0;
    this.#retryAt = now + this.needs.retryMs;
    const asking = this.#seed();
    if (!isFirst) return undefined;
    this.#opening = unlessLate(asking, this.needs.waitMs).then(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Takes over what the replicas have counted. */
  adopt(spentNanos: number): void {
    this.spentNanos = spentNanos;
    this.isSeeded = true;
  }

  /** What is owed, for one who sees to it that the others hear of it. */
  takeOwed(): number {
    const { owedNanos } = this;
    this.owedNanos = 0;
    return owedNanos;
  }

  /** Has the ledger asked again. */
  forget(): void {
    this.isSeeded = false;
    this.#retryAt = 0;
  }

  async #seed(): Promise<void> {
    this.#isAsking = true;
    // What was counted here before the ledger is asked is in the ledger too, unless it has not arrived yet.
    const counted = this.spentNanos;
    try {
      const listed = await this.needs.readLedger();
      if (!this.isSeeded) this.adopt(Math.max(listed, counted) + this.spentNanos - counted);
    } catch (failure) {
      this.needs.onFailure(failure);
    } finally {
      this.#isAsking = false;
    }
  }
}

async function unlessLate(work: Promise<void>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** A day or a month of UTC. */
export interface BudgetPeriod {
  readonly per: Budget["per"];
  /** `2026-11-15` or `2026-11`. */
  readonly id: string;
  readonly startsAt: number;
  /** When the next one begins. */
  readonly endsAt: number;
}

export function budgetPeriod(per: Budget["per"], now: number): BudgetPeriod {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (per === "day") {
    return {
      per,
      id: date.toISOString().slice(0, 10),
      startsAt: Date.UTC(year, month, day),
      endsAt: Date.UTC(year, month, day + 1),
    };
  }
  return {
    per,
    id: date.toISOString().slice(0, 7),
    startsAt: Date.UTC(year, month),
    endsAt: Date.UTC(year, month + 1),
  };
}

const nanosPerUsd = 1_000_000_000;
/** Nobody knows when a request under way will be over, and what it will leave. */
const heldWaitMs = 1000;

export interface Spending {
  readonly budget: Budget;
  readonly period: BudgetPeriod;
  readonly spentNanos: number;
  readonly amountNanos: number;
}

/**
 * What a request over its budget is told: that the money is spent, and no retry helps; or that it is only held for
 * requests under way, which may leave some of it.
 */
export function overBudget({ budget, period, spentNanos, amountNanos }: Spending): GatewayError {
  const allowed = `${usd(budget.usd * nanosPerUsd)} a ${budget.per} (UTC)`;
  const isSpent = spentNanos >= budgetNanos(budget) || spentNanos + amountNanos > budgetNanos(budget);
  if (!isSpent) {
    return new GatewayError(
      "rate_limit_exceeded",
      `What is left of the budget of this key, ${allowed}, is held for its requests under way. Please try again in 1s.`,
      { retryAfterMs: heldWaitMs, nothingMade: true },
    );
  }
  const renewed = new Date(period.endsAt).toISOString().replace(".000", "");
  const expected = amountNanos > 0 ? `, Requested about ${usd(amountNanos)}` : "";
  return new GatewayError(
    "insufficient_quota",
    `You exceeded the budget of this key: Limit ${allowed}, Spent ${usd(spentNanos)}${expected}. It is renewed at ${renewed}.`,
    { nothingMade: true },
  );
}

export function budgetNanos(budget: Budget): number {
  return Math.round(budget.usd * nanosPerUsd);
}

/** Cents, and as many more digits as it takes to tell small amounts apart. */
function usd(nanos: number): string {
  const digits = nanos % (nanosPerUsd / 100) === 0 ? 2 : 6;
  return `$${(nanos / nanosPerUsd).toFixed(digits)}`;
}
