import type { Budget } from "../domain/access-key.js";

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
