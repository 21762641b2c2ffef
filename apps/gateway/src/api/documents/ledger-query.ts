import type { AccessKey } from "@model-gateway/domain/access-key";
import { errorOf } from "@model-gateway/domain/errors";
import type { QueryParameters } from "@model-gateway/domain/operations";
import { budgetPeriod } from "../../limits/account.js";
import type { LedgerFilter, OwnerFilter } from "../../usage/ledger/ledger-store.js";

/** Converts a query's times, in Unix seconds, to the ledger's milliseconds. */
export function timeRange({ from, to }: { from?: number; to?: number }): Pick<LedgerFilter, "from" | "to"> {
  if (from !== undefined && to !== undefined && to <= from)
    throw errorOf("invalid_value", { param: "to", reason: "it must be later than 'from'" });
  return {
    ...(from === undefined ? {} : { from: from * 1000 }),
    ...(to === undefined ? {} : { to: to * 1000 }),
  };
}

type UsageTimes = Pick<QueryParameters<"retrieveUsage">, "period" | "from" | "to">;

/** The time range of a usage report. Its calendar periods are those of budgets, so that both have the same amounts. */
export function usageRange({ period, ...times }: UsageTimes, now: number): Pick<LedgerFilter, "from" | "to"> {
  if (period === undefined) return timeRange(times);
  if (times.from !== undefined || times.to !== undefined)
    throw errorOf("invalid_value", { param: "period", reason: "it excludes 'from' and 'to'" });
  const per = period === "today" || period === "yesterday" ? "day" : "month";
  const current = budgetPeriod(per, now);
  const isCurrent = period === "today" || period === "this_month";
  const { startsAt, endsAt } = isCurrent ? current : budgetPeriod(per, current.startsAt - 1);
  return { from: startsAt, to: endsAt };
}

/** The filter by an owner: of the keys in the database, and of those in the file. */
export function keysOf(owner: string, fileKeys: readonly AccessKey[]): OwnerFilter {
  const ofOwner = fileKeys.filter((key) => key.owner === owner);
  return { name: owner, fileKeyIds: ofOwner.map(({ id }) => id) };
}

/** Converts billionths of a US dollar to dollars. Null is an unknown price. */
export function dollars(nanos: number): number;
export function dollars(nanos: number | null): number | null;
export function dollars(nanos: number | null): number | null {
  return nanos === null ? null : nanos / 1e9;
}
