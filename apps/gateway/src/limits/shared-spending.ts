import type { BudgetPeriod } from "./account.js";

/** What keys have spent, counted by all replicas together. Money is in billionths of a US dollar. */
export interface SharedSpending {
  /** Holds an amount, where it fits. Undefined where the counters are away. */
  reserve(ask: SpendingAsk): Promise<SpendingReply | undefined>;
  /** Counts what was spent and lets go of what was held for it. Says whether that has arrived. */
  settle(settlement: Settlement): Promise<boolean>;
}

export interface SpendingAccount {
  readonly keyId: string;
  readonly period: BudgetPeriod;
}

export interface SpendingAsk extends SpendingAccount {
  readonly limitNanos: number;
  readonly amountNanos: number;
  /** What was spent before and could not be delivered; counted with this. */
  readonly owedNanos: number;
  /** What the ledger says was spent, for counters that know nothing of this account yet. */
  readonly seedNanos?: number;
}

export type SpendingReply =
  | { readonly state: "unknown" }
  | {
      readonly state: "held" | "refused";
      readonly spentNanos: number;
      readonly reservedNanos: number;
      /** What is held, to be let go by settling. */
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
