import type { AccessKey, Budget } from "@model-gateway/domain/access-key";
import { Account, type BudgetPeriod, budgetPeriod } from "./account.js";
import { budgetHeaders, budgetNanos, overBudget } from "./budget-response.js";
import { type BudgetUsage, type ReadSpendingByKey, readBudgetUsage } from "./budget-usage.js";
import type { SharedSpending, SpendingHold } from "./shared-spending.js";

export type BudgetKey = Pick<AccessKey, "id" | "budget"> & { readonly name?: string };

/** A key's spending so far in a budget period. */
export interface BudgetSpending {
  readonly keyId: string;
  readonly keyName: string;
  readonly budget: Budget;
  readonly period: BudgetPeriod;
  readonly spentNanos: number;
  readonly limitNanos: number;
}

export interface Reservation {
  /** Replaces the estimate by the actual cost; null if it is unknown, then the estimate counts. Only the first call counts. */
  settle(spentNanos: number | null): void;
  /** The `x-gateway-budget-*` headers of a response with this cost, or with the estimated one if it is null. */
  headers(costNanos: number | null): Readonly<Record<string, string>>;
}

export interface BudgetsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Reads a key's spending since a time from the ledger. */
  readonly spentSince: (keyId: string, since: number) => Promise<number>;
  readonly spentByKey: ReadSpendingByKey;
  /** Resolves when all rows that this machine wrote before its last start are in the ledger. */
  readonly untilShipped: () => Promise<void>;
  /** Called when the ledger cannot be read. Until it can, only the spending of this process counts. */
  readonly onLedgerUnavailable: (failure: unknown) => void;
  /** Called when a key has spent more, here or as the shared counters say. */
  readonly onSpending?: (spending: BudgetSpending) => void;
  /** Counts for all replicas. Without it, and while it is unavailable, this process counts alone. */
  readonly shared?: SharedSpending;
  /** Time that a key's first request waits for the ledger. */
  readonly ledgerWaitMs?: number;
}

/** A request whose cost is not known, as its ledger row has it. */
interface AbandonedRequest {
  readonly keyId: string;
  readonly at: number;
  readonly estimatedNanos: number;
}

const defaultLedgerWaitMs = 1000;
const ledgerRetryMs = 30_000;
const sweepSizeMin = 1024;

const unlimited: Reservation = Object.freeze({ settle: () => undefined, headers: () => ({}) });

interface BudgetRequest {
  readonly keyName: string;
  readonly account: Account;
  readonly budget: Budget;
  readonly amountNanos: number;
}

/** Keeps keys within their budgets. Money is in billionths of a US dollar. */
export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #accounts = new Map<string, Account>();
  #sweepAt = sweepSizeMin;

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /**
   * Reserves the estimated cost of a request; null if it is not known. Rejects with `insufficient_quota` if the
   * budget is spent, and with `rate_limit_exceeded` if the rest of it is reserved. A request that is known to be free
   * always passes.
   */
  async reserve({ id, name = id, budget }: BudgetKey, estimateNanos: number | null): Promise<Reservation> {
    if (budget === undefined) return unlimited;
    const { shared, now } = this.#options;
    const account = this.#accountOf(id, budget);
    const request = { keyName: name, account, budget, amountNanos: Math.round(estimateNanos ?? 0) };
    if (estimateNanos === 0) return this.#hold(request);
    if (shared !== undefined) return this.#reserveShared(request, shared);
    await account.open(now());
    return this.#reserveHere(request);
  }

  /**
   * Adds requests that an earlier process of this replica did not end to the shared counters, which do not read the
   * ledger again. An account that they do not know is seeded from the ledger.
   */
  countAbandoned(requests: readonly AbandonedRequest[]): void {
    const { shared, now } = this.#options;
    for (const { keyId, at, estimatedNanos } of requests) {
      for (const per of ["day", "month"] as const) {
        const period = budgetPeriod(per, now());
        if (at < period.startsAt || estimatedNanos === 0) continue;
        void shared?.settle({ keyId, period, spentNanos: estimatedNanos });
      }
    }
  }

  /** The rest of the keys' budgets, by key id. Keys without a budget are left out. */
  usage(keys: readonly BudgetKey[]): Promise<ReadonlyMap<string, BudgetUsage>> {
    return readBudgetUsage(keys, {
      ...this.#options,
      countedHere: (keyId, period) => {
        const account = this.#accounts.get(keyId);
        return account?.options.period.id === period.id ? account.spentNanos : 0;
      },
    });
  }

  #reserveHere(request: BudgetRequest): Reservation {
    const { account, budget, amountNanos } = request;
    const { spentNanos, reservedNanos } = account;
    const limitNanos = budgetNanos(budget);
    if (spentNanos >= limitNanos || spentNanos + reservedNanos + amountNanos > limitNanos) {
      throw overBudget(this.#spending(request, account), amountNanos);
    }
    return this.#hold(request);
  }

  async #reserveShared(request: BudgetRequest, shared: SharedSpending): Promise<Reservation> {
    const { account, budget, amountNanos } = request;
    const { keyId, period } = account.options;
    const wanted = { keyId, period, limitNanos: budgetNanos(budget), amountNanos };
    const { isSeeded } = account;
    let owedNanos = account.takeOwed();
    let reply = await shared.reserve({ ...wanted, owedNanos });
    if (reply?.state === "unknown") {
      // This process was seeded before, so the shared counters have lost the account.
      if (isSeeded) account.forget();
      await account.open(this.#options.now());
      // The unreported amount is part of the seed.
      owedNanos += account.takeOwed();
      if (account.isSeeded)
        reply = await shared.reserve({ ...wanted, owedNanos: 0, seedNanos: account.spentNanos });
    }
    if (reply === undefined || reply.state === "unknown") {
      account.unreportedNanos += owedNanos;
      await account.open(this.#options.now());
      return this.#reserveHere(request);
    }
    account.adopt(reply.spentNanos);
    this.#reportSpending(request);
    if (reply.state === "held") return this.#hold(request, reply.hold);
    throw overBudget(this.#spending(request, reply), amountNanos);
  }

  /** @param taken As counted here, or by all replicas. */
  #spending({ budget, account }: BudgetRequest, taken: Pick<Account, "spentNanos" | "reservedNanos">) {
    const { spentNanos, reservedNanos } = taken;
    return { budget, period: account.options.period, spentNanos, reservedNanos, now: this.#options.now() };
  }

  #hold(request: BudgetRequest, hold?: SpendingHold): Reservation {
    const { account, amountNanos } = request;
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
        this.#reportSpending(request);
      },
      headers: (costNanos) => {
        const heldNanos = isSettled ? 0 : amountNanos - Math.round(costNanos ?? amountNanos);
        const reservedNanos = account.reservedNanos - heldNanos;
        return budgetHeaders(this.#spending(request, { spentNanos: account.spentNanos, reservedNanos }));
      },
    };
  }

  #reportSpending({ keyName, account, budget }: BudgetRequest): void {
    const { spentNanos, options } = account;
    const { keyId, period } = options;
    this.#options.onSpending?.({
      keyId,
      keyName,
      budget,
      period,
      spentNanos,
      limitNanos: budgetNanos(budget),
    });
  }

  /** Reports to the shared counters. If they are unavailable, the key's next request reports the amount. */
  #report(account: Account, spentNanos: number, hold: SpendingHold | undefined): void {
    const { shared } = this.#options;
    if (shared === undefined) return;
    if (hold === undefined) {
      account.unreportedNanos += spentNanos;
      return;
    }
    const { keyId, period } = account.options;
    void shared.settle({ keyId, period, spentNanos, hold }).then((isCounted) => {
      if (!isCounted) account.unreportedNanos += spentNanos;
    });
  }

  #accountOf(keyId: string, budget: Budget): Account {
    const { now, spentSince, untilShipped, onLedgerUnavailable, ledgerWaitMs } = this.#options;
    const at = now();
    const known = this.#accounts.get(keyId);
    if (known !== undefined && isWithin(known.options.period, budget.per, at)) return known;
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
      onFailure: onLedgerUnavailable,
    });
    this.#accounts.set(keyId, account);
    return account;
  }

  /** Removes accounts of past periods. It runs when the number of accounts has doubled. */
  #sweep(now: number): void {
    for (const [id, { options, reservedNanos }] of this.#accounts) {
      if (options.period.endsAt <= now && reservedNanos === 0) this.#accounts.delete(id);
    }
    this.#sweepAt = Math.max(sweepSizeMin, this.#accounts.size * 2);
  }
}

function isWithin(period: BudgetPeriod, per: Budget["per"], now: number): boolean {
  return period.per === per && now >= period.startsAt && now < period.endsAt;
}
