import { expect, test } from "vitest";
import { budgetPeriod } from "../../limits/account.js";
import { usageRange } from "./ledger-query.js";

const iso = ({ from, to }: { from?: number; to?: number }) =>
  [from, to].map((time) => time !== undefined && new Date(time).toISOString());

test.each([
  ["today", "2028-03-01T00:00:00.000Z", "2028-03-02T00:00:00.000Z"],
  ["yesterday", "2028-02-29T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["this_month", "2028-03-01T00:00:00.000Z", "2028-04-01T00:00:00.000Z"],
  ["last_month", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
] as const)("%s is from %s to %s in UTC", (period, from, to) => {
  expect(iso(usageRange({ period }, Date.parse("2028-03-01T00:00:00.000Z")))).toEqual([from, to]);
});

test("the month before January is December of the year before", () => {
  const range = usageRange({ period: "last_month" }, Date.parse("2027-01-31T23:59:59.999Z"));

  expect(iso(range)).toEqual(["2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"]);
});

test.each(["day", "month"] as const)("the current %s is the period of budgets", (per) => {
  const now = Date.parse("2026-11-17T18:00:00Z");
  const { startsAt, endsAt } = budgetPeriod(per, now);

  const range = usageRange({ period: per === "day" ? "today" : "this_month" }, now);

  expect(range).toEqual({ from: startsAt, to: endsAt });
});

test("a period with other times is refused", () => {
  expect(() => usageRange({ period: "today", from: 1 }, 0)).toThrow(
    expect.objectContaining({ code: "invalid_value", param: "period" }),
  );
});
