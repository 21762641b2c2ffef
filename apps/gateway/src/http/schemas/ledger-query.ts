import { GatewayError } from "../../errors.js";
import type { LedgerFilter } from "../../usage/ledger/ledger-store.js";

/** The times of a query, which are Unix seconds, as those of the ledger. */
export function timeRange({ from, to }: { from?: number; to?: number }): Pick<LedgerFilter, "from" | "to"> {
  if (from !== undefined && to !== undefined && to <= from)
    throw new GatewayError("invalid_value", "Invalid 'to': it must be later than 'from'.", { param: "to" });
  return {
    ...(from === undefined ? {} : { from: from * 1000 }),
    ...(to === undefined ? {} : { to: to * 1000 }),
  };
}

/** Billionths of a US dollar as dollars. What is not known stays so. */
export function dollars(nanos: number | null): number | null {
  return nanos === null ? null : nanos / 1e9;
}
