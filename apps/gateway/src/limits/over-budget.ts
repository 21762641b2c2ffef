import type { Budget } from "../domain/access-key.js";
import { GatewayError } from "../errors.js";
import type { BudgetPeriod } from "./budget-period.js";

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
