import type { AccessKey, Budget } from "@model-gateway/domain/access-key";
import { type BudgetPeriod, budgetPeriod } from "./account.js";
import { budgetNanos } from "./budget-response.js";
import type { SharedSpending } from "./shared-spending.js";

/** The current period of a key's budget. Money is in billionths of a US dollar. */
export interface BudgetUsage {
  readonly spentNanos: number;
  readonly remainingNanos: number;
  /** Milliseconds since 1970. */
  readonly resetsAt: number;
}

/** The spending of several keys since a time, by id. Keys that have spent nothing may be absent. */
export type ReadSpendingByKey = (
  keyIds: readonly string[],
  since: number,
) => Promise<ReadonlyMap<string, { readonly costNanos: number; readonly estimatedNanos: number }>>;

interface BudgetUsageSources {
  readonly now: () => number;
  readonly spentByKey: ReadSpendingByKey;
  readonly shared?: SharedSpending;
  /** A key's spending counted by this process; 0 if none. */
  readonly countedHere: (keyId: string, period: BudgetPeriod) => number;
}

interface BudgetedKey {
  readonly keyId: string;
  readonly budget: Budget;
  readonly period: BudgetPeriod;
}

/**
 * Reads the rest of budgets: one ledger query for daily budgets, one for monthly ones, and one call to the shared
 * counters, for any number of keys. The ledger lags behind by the last moments' requests, and the counters do not know
 * a key without a request since the start, so the larger amount is the right one.
 */
export async function readBudgetUsage(
  keys: readonly Pick<AccessKey, "id" | "budget">[],
  { now, spentByKey, shared, countedHere }: BudgetUsageSources,
): Promise<ReadonlyMap<string, BudgetUsage>> {
  const at = now();
  const periods = { day: budgetPeriod("day", at), month: budgetPeriod("month", at) };
  const budgeted = keys.flatMap(({ id, budget }): BudgetedKey[] =>
    budget === undefined ? [] : [{ keyId: id, budget, period: periods[budget.per] }],
  );
  if (budgeted.length === 0) return new Map();
  const inLedger = async (per: Budget["per"]): ReturnType<ReadSpendingByKey> => {
    const ids = budgeted.filter(({ budget }) => budget.per === per).map(({ keyId }) => keyId);
    return ids.length === 0 ? new Map() : spentByKey(ids, periods[per].startsAt);
  };
  const [day, month, counted] = await Promise.all([
    inLedger("day"),
    inLedger("month"),
    shared?.spent(budgeted),
  ]);
  const listed = { day, month };
  return new Map(
    budgeted.map(({ keyId, budget, period }, index) => {
      const { costNanos = 0, estimatedNanos = 0 } = listed[budget.per].get(keyId) ?? {};
      const spentNanos = Math.max(
        costNanos + estimatedNanos,
        counted?.[index] ?? 0,
        countedHere(keyId, period),
      );
      return [keyId, usageOf(budget, period, spentNanos)];
    }),
  );
}

/** The usage of a key that was created just now. */
export function unspent(budget: Budget, now: number): BudgetUsage {
  return usageOf(budget, budgetPeriod(budget.per, now), 0);
}

function usageOf(budget: Budget, { endsAt }: BudgetPeriod, spentNanos: number): BudgetUsage {
  const remainingNanos = Math.max(0, budgetNanos(budget) - spentNanos);
  return { spentNanos, remainingNanos, resetsAt: endsAt };
}
