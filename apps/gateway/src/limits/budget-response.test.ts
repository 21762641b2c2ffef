import { expect, test } from "vitest";
import { budgetPeriod } from "./account.js";
import { budgetHeaders, decimalUsd } from "./budget-response.js";

test.each([
  [0, "0"],
  [1, "0.000000001"],
  [12_000_000, "0.012"],
  [25_000_000_000, "25"],
  [1_000_000_000_000_001, "1000000.000000001"],
])("%d billionths are %s dollars", (nanos, text) => {
  expect(decimalUsd(nanos)).toBe(text);
});

test("the rest of a budget is neither spent nor held for requests in flight, and never negative", () => {
  const now = Date.parse("2036-11-15T12:00:00Z");
  const common = { budget: { usd: 1, per: "day" }, period: budgetPeriod("day", now), now } as const;

  const some = budgetHeaders({ ...common, spentNanos: 300_000_000, reservedNanos: 200_000_000 });
  const none = budgetHeaders({ ...common, spentNanos: 900_000_000, reservedNanos: 200_000_000 });

  expect(some).toEqual({ "x-gateway-budget-remaining": "0.5", "x-gateway-budget-reset": "12h0m0s" });
  expect(none["x-gateway-budget-remaining"]).toBe("0");
});
