import type { Budget } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import type { BudgetPeriod } from "./account.js";
import { goDuration } from "./rate-limit-response.js";

const nanosPerUsd = 1_000_000_000;
/** A guess: the end of a request in flight is not known. */
const reservedWaitMs = 1000;

/** A budget and the amounts taken from it, in billionths of a US dollar. */
interface BudgetUse {
  readonly budget: Budget;
  readonly period: BudgetPeriod;
  readonly spentNanos: number;
  /** Held for requests in flight. */
  readonly reservedNanos: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The 429 of a request over its budget. If the money is spent, no retry helps; if it is only reserved for requests in
 * flight, some of it may come free.
 */
export function overBudget(spending: BudgetUse, amountNanos: number): GatewayError {
  const { budget, period, spentNanos } = spending;
  const headers = budgetHeaders(spending);
  const allowed = `${usd(budget.usd * nanosPerUsd)} a ${budget.per} (UTC)`;
  const isSpent = spentNanos >= budgetNanos(budget) || spentNanos + amountNanos > budgetNanos(budget);
  if (!isSpent) {
    return new GatewayError(
      "rate_limit_exceeded",
      `The rest of this key's budget of ${allowed} is reserved for its requests in flight. Please try again in 1s.`,
      { retryAfterMs: reservedWaitMs, nothingBilled: true, headers },
    );
  }
  const renewed = new Date(period.endsAt).toISOString().replace(".000", "");
  const expected = amountNanos > 0 ? `, Requested about ${usd(amountNanos)}` : "";
  return new GatewayError(
    "insufficient_quota",
    `You exceeded the budget of this key: Limit ${allowed}, Spent ${usd(spentNanos)}${expected}. It is renewed at ${renewed}.`,
    { nothingBilled: true, headers },
  );
}

/** The rest of a budget, for its caller. */
export function budgetHeaders(spending: BudgetUse): Readonly<Record<string, string>> {
  const { budget, period, spentNanos, reservedNanos, now } = spending;
  const leftNanos = budgetNanos(budget) - spentNanos - reservedNanos;
  return {
    "x-gateway-budget-remaining": decimalUsd(Math.max(0, leftNanos)),
    "x-gateway-budget-reset": goDuration(period.endsAt - now),
  };
}

export function budgetNanos(budget: Budget): number {
  return Math.round(budget.usd * nanosPerUsd);
}

/** The exact amount, without zeros at the end: `0.012`. */
export function decimalUsd(nanos: number): string {
  const fraction = String(nanos % nanosPerUsd)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${Math.floor(nanos / nanosPerUsd)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Whole cents with two digits, other amounts with six. */
function usd(nanos: number): string {
  const digits = nanos % (nanosPerUsd / 100) === 0 ? 2 : 6;
  return `$${(nanos / nanosPerUsd).toFixed(digits)}`;
}
