import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { errorOf } from "../../errors.js";
import type { LedgerFilter } from "../../usage/ledger/ledger-store.js";
import { indexedDurationsMs } from "../database/create-tables.js";
import { isStorable } from "../database/cursor.js";
import type { Tables } from "../database/tables.js";

/** The filter as a condition on ledger rows. */
export function whereLedger(filter: LedgerFilter) {
  refuseUnstorable(filter);
  return (is: ExpressionBuilder<Tables, "ledger_rows">): Expression<SqlBool> => {
    const { from, to, keyId, keyIds, model, operation, upstream, status, errorCode, cache } = filter;
    return is.and([
      ...(from === undefined ? [] : [is("at", ">=", from)]),
      ...(to === undefined ? [] : [is("at", "<", to)]),
      ...(keyId === undefined ? [] : [is("key_id", "=", keyId)]),
      ...(keyIds === undefined ? [] : [is("key_id", "in", keyIds)]),
      ...(model === undefined ? [] : [is("model", "=", model)]),
      ...(operation === undefined ? [] : [is("operation", "=", operation)]),
      ...(upstream === undefined ? [] : [is("upstream", "=", upstream)]),
      ...(status === undefined ? [] : [is("status", "=", status)]),
      ...(errorCode === undefined ? [] : [is("error_code", "=", errorCode)]),
      ...(cache === undefined ? [] : [is("cache", "=", cache)]),
      ...whereFailed(filter),
      ...whereSlow(filter),
    ]);
  };
}

/** Literals, because a database uses a partial index only for a condition that it can compare with the index's own. */
function whereFailed({ failed }: LedgerFilter): Expression<SqlBool>[] {
  if (failed === undefined) return [];
  return [failed ? sql<SqlBool>`status >= 400` : sql<SqlBool>`status < 400`];
}

/** The second condition follows from the first, and names the index with the fewest rows. */
function whereSlow({ minMs }: LedgerFilter): Expression<SqlBool>[] {
  if (minMs === undefined) return [];
  const indexed = indexedDurationsMs.findLast((ms) => ms <= minMs);
  return [
    sql<SqlBool>`ms >= ${minMs}`,
    ...(indexed === undefined ? [] : [sql<SqlBool>`ms >= ${sql.lit(indexed)}`]),
  ];
}

/** Whether the filter is about something that no rollup has, so that single rows must be read. */
export function needsRows({ status, failed, errorCode, cache, minMs }: LedgerFilter): boolean {
  return [status, failed, errorCode, cache, minMs].some((condition) => condition !== undefined);
}

/** PostgreSQL fails on such a character, and no row contains it. */
export function refuseUnstorable(filter: LedgerFilter): void {
  const { keyId = "", model = "", upstream = "", errorCode = "" } = filter;
  for (const [param, text] of Object.entries({ key_id: keyId, model, upstream, error_code: errorCode })) {
    if (!isStorable(text))
      throw errorOf("invalid_value", { param, reason: "it contains a character that cannot be stored" });
  }
}
