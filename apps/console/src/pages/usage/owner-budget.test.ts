import { expect, test } from "vitest";
import { sumBudgets } from "./owner-budget.js";

const resets_at = Date.UTC(2026, 11) / 1000;
const key = (usd: number, per: "day" | "month", spent_usd: number) => ({
  budget: { usd, per },
  budget_usage: { spent_usd, remaining_usd: usd - spent_usd, resets_at },
});

test("monthly budgets are added up, and other keys are left out", () => {
  const keys = [key(10, "month", 2.5), key(5, "month", 0.25), key(1, "day", 0.5)];

  const sums = sumBudgets([...keys, { budget: null, budget_usage: null }]);

  expect(sums).toEqual({ count: 2, spentUsd: 2.75, limitUsd: 15, resetsAt: resets_at });
});
