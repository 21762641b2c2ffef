import { errorOf } from "../../errors.js";
import type { LedgerFilter } from "../../usage/ledger/ledger-store.js";

/** Converts a query's times, in Unix seconds, to the ledger's milliseconds. */
export function timeRange({ from, to }: { from?: number; to?: number }): Pick<LedgerFilter, "from" | "to"> {
  if (from !== undefined && to !== undefined && to <= from)
    throw errorOf("invalid_value", { param: "to", reason: "it must be later than 'from'" });
  return {
    ...(from === undefined ? {} : { from: from * 1000 }),
    ...(to === undefined ? {} : { to: to * 1000 }),
  };
}

/** Converts billionths of a US dollar to dollars. Null is an unknown price. */
export function dollars(nanos: number): number;
export function dollars(nanos: number | null): number | null;
export function dollars(nanos: number | null): number | null {
  return nanos === null ? null : nanos / 1e9;
}
