import type { BudgetPeriod } from "./account.js";

/** The spending of keys, counted by all replicas together. Money is in billionths of a US dollar. */
export interface SharedSpending {
  /** Holds an amount if it fits. Undefined if the shared counters are unavailable. */
  reserve(request: SpendingRequest): Promise<SpendingReply | undefined>;
  /** Counts the amount spent and releases the hold. Resolves to false if the shared counters are unavailable. */
  settle(settlement: Settlement): Promise<boolean>;
  /**
   * Spending of each account, in one call; undefined for an account that is not counted yet. Undefined as a whole if
   * the shared counters are unavailable.
   */
  spent(accounts: readonly SpendingAccount[]): Promise<readonly (number | undefined)[] | undefined>;
}

export interface SpendingAccount {
  readonly keyId: string;
  readonly period: BudgetPeriod;
}

export interface SpendingRequest extends SpendingAccount {
  readonly limitNanos: number;
  readonly amountNanos: number;
  /** Spent before and not yet reported to the shared counters; counted with this call. */
  readonly owedNanos: number;
  /** The ledger's spending, for shared counters that do not know this account yet. */
  readonly seedNanos?: number;
}

export type SpendingReply =
  /** The shared counters do not know the account, and the request had no seed. */
  | { readonly state: "unknown" }
  | {
      readonly state: "held" | "refused";
      readonly spentNanos: number;
      readonly reservedNanos: number;
      /** Released by `settle`. */
      readonly hold: SpendingHold;
    };

export interface SpendingHold {
  readonly id: string;
  readonly nanos: number;
}

export interface Settlement extends SpendingAccount {
  readonly spentNanos: number;
  readonly hold?: SpendingHold;
}
