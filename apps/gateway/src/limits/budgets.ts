import type { AccessKey, Budget } from "../domain/access-key.js";
import { Account, type BudgetPeriod, budgetNanos, budgetPeriod, overBudget } from "./account.js";
import type { SharedSpending, SpendingHold } from "./shared-spending.js";

/** Lets keys spend what they may, and no more. Money is in billionths of a US dollar. */
export interface Budgets {
  /**
   * Holds about what a request will cost; null where that is not known. Throws, or rejects with, `insufficient_quota`
   * where it does not fit. It answers at once, without a promise, where nobody else must be asked. What is known to cost
   * nothing always passes.
   */
  reserve(key: BudgetKey, estimateNanos: number | null): Reservation | Promise<Reservation>;
}

export type BudgetKey = Pick<AccessKey, "id" | "budget">;

export interface Reservation {
  /** Told once what was truly spent; null where nobody knows, and then the estimate counts. */
  settle(spentNanos: number | null): void;
}

export interface BudgetsNeeds {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What the ledger says a key has spent since a time. */
  readonly spentSince: (keyId: string, since: number) => Promise<number>;
  /** Resolves when the ledger has all that this machine has written for it, also before the last restart. */
  readonly untilShipped: () => Promise<void>;
  /** Told when the ledger does not say what was spent: then only what this process spends is counted, for a while. */
  readonly onLedgerAway: (failure: unknown) => void;
  /** What all replicas count together. Without it, and while it is away, this process counts by itself. */
  readonly shared?: SharedSpending;
  /** How long the first request of a key waits for the ledger. */
  readonly ledgerWaitMs?: number;
}

export function openBudgets(needs: BudgetsNeeds): Budgets {
  return new BudgetBook(needs);
}

const defaultLedgerWaitMs = 1000;
const ledgerRetryMs = 30_000;
const sweepSizeMin = 1024;

const unbounded: Reservation = Object.freeze({ settle: () => undefined });

interface BudgetRequest {
  readonly account: Account;
  readonly budget: Budget;
  readonly amountNanos: number;
}

/** The accounts of all keys that have a budget. */
class BudgetBook implements Budgets {
  readonly #needs: BudgetsNeeds;
  readonly #accounts = new Map<string, Account>();
  #sweepAt = sweepSizeMin;

  constructor(needs: BudgetsNeeds) {
    this.#needs = needs;
  }

  reserve({ id, budget }: BudgetKey, estimateNanos: number | null): Reservation | Promise<Reservation> {
    if (budget === undefined) return unbounded;
    const { shared, now } = this.#needs;
    const account = this.#accountOf(id, budget);
    const wish = { account, budget, amountNanos: Math.round(estimateNanos ?? 0) };
    if (estimateNanos === 0) return this.#hold(wish);
    if (shared !== undefined) return this.#reserveShared(wish, shared);
    const opening = account.open(now());
    return opening === undefined ? this.#reserveHere(wish) : opening.then(() => this.#reserveHere(wish));
  }

  #reserveHere(wish: BudgetRequest): Reservation {
    const { account, budget, amountNanos } = wish;
    const { spentNanos, reservedNanos } = account;
    const limitNanos = budgetNanos(budget);
    if (spentNanos >= limitNanos || spentNanos + reservedNanos + amountNanos > limitNanos) {
      throw overBudget({ budget, period: account.needs.period, spentNanos, amountNanos });
    }
    return this.#hold(wish);
  }

  async #reserveShared(wish: BudgetRequest, shared: SharedSpending): Promise<Reservation> {
    const { account, budget, amountNanos } = wish;
    const { keyId, period } = account.needs;
    const ask = { keyId, period, limitNanos: budgetNanos(budget), amountNanos };
    const { isSeeded } = account;
    let owedNanos = account.takeOwed();
    let reply = await shared.reserve({ ...ask, owedNanos });
    if (reply?.state === "unknown") {
      // It was known before the question: whoever counts for all has lost it.
      if (isSeeded) account.forget();
      await account.open(this.#needs.now());
      // What is owed is part of what was spent here.
      owedNanos += account.takeOwed();
      if (account.isSeeded)
        reply = await shared.reserve({ ...ask, owedNanos: 0, seedNanos: account.spentNanos });
    }
    if (reply === undefined || reply.state === "unknown") {
      account.owedNanos += owedNanos;
      await account.open(this.#needs.now());
      return this.#reserveHere(wish);
    }
    account.adopt(reply.spentNanos);
    if (reply.state === "held") return this.#hold(wish, reply.hold);
    throw overBudget({ budget, period, spentNanos: reply.spentNanos, amountNanos });
  }

  #hold({ account, amountNanos }: BudgetRequest, hold?: SpendingHold): Reservation {
    let isSettled = false;
    account.reservedNanos += amountNanos;
    return {
      settle: (spent) => {
        if (isSettled) return;
        isSettled = true;
        const spentNanos = Math.round(spent ?? amountNanos);
        account.reservedNanos -= amountNanos;
        account.spentNanos += spentNanos;
        this.#report(account, spentNanos, hold);
      },
    };
  }

  /** Tells the other replicas. What they cannot be told now, they are told with the next request of this key. */
  #report(account: Account, spentNanos: number, hold: SpendingHold | undefined): void {
    const { shared } = this.#needs;
    if (shared === undefined) return;
    if (hold === undefined) {
      account.owedNanos += spentNanos;
      return;
    }
    const { keyId, period } = account.needs;
    void shared.settle({ keyId, period, spentNanos, hold }).then((hasArrived) => {
      if (!hasArrived) account.owedNanos += spentNanos;
    });
  }

  #accountOf(keyId: string, budget: Budget): Account {
    const { now, spentSince, untilShipped, onLedgerAway, ledgerWaitMs } = this.#needs;
    const at = now();
    const known = this.#accounts.get(keyId);
    if (known !== undefined && isWithin(known.needs.period, budget.per, at)) return known;
    if (this.#accounts.size >= this.#sweepAt) this.#sweep(at);
    const period = budgetPeriod(budget.per, at);
    const account = new Account({
      keyId,
      period,
      readLedger: async () => {
        await untilShipped();
        return spentSince(keyId, period.startsAt);
      },
      waitMs: ledgerWaitMs ?? defaultLedgerWaitMs,
      retryMs: ledgerRetryMs,
      onFailure: onLedgerAway,
    });
    this.#accounts.set(keyId, account);
    return account;
  }

  /** Forgets accounts of periods that are over. Done each time that twice as many are kept. */
  #sweep(now: number): void {
    for (const [id, { needs, reservedNanos }] of this.#accounts) {
      if (needs.period.endsAt <= now && reservedNanos === 0) this.#accounts.delete(id);
    }
    this.#sweepAt = Math.max(sweepSizeMin, this.#accounts.size * 2);
  }
}

function isWithin(period: BudgetPeriod, per: Budget["per"], now: number): boolean {
  return period.per === per && now >= period.startsAt && now < period.endsAt;
}
