import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { GatewayError } from "../../errors.js";
import type { LedgerFilter } from "../../usage/ledger/ledger-store.js";
import { isStorable } from "../database/cursor.js";
import type { Tables } from "../database/tables.js";

/** The filter as a condition on ledger rows. */
export function whereLedger(filter: LedgerFilter) {
  refuseUnstorable(filter);
  return (is: ExpressionBuilder<Tables, "ledger_rows">): Expression<SqlBool> => {
    const { from, to, keyId, keyIds, model, operation, status, errorCode } = filter;
    return is.and([
      ...(from === undefined ? [] : [is("at", ">=", from)]),
      ...(to === undefined ? [] : [is("at", "<", to)]),
      ...(keyId === undefined ? [] : [is("key_id", "=", keyId)]),
      ...(keyIds === undefined ? [] : [is("key_id", "in", keyIds)]),
      ...(model === undefined ? [] : [is("model", "=", model)]),
      ...(operation === undefined ? [] : [is("operation", "=", operation)]),
      ...(status === undefined ? [] : [is("status", "=", status)]),
      ...(errorCode === undefined ? [] : [is("error_code", "=", errorCode)]),
    ]);
  };
}

/** PostgreSQL fails on such a character, and no row contains it. */
export function refuseUnstorable({ keyId = "", model = "", errorCode = "" }: LedgerFilter): void {
  for (const [param, text] of Object.entries({ key_id: keyId, model, error_code: errorCode })) {
    if (!isStorable(text))
      throw new GatewayError(
        "invalid_value",
        `Invalid '${param}': it contains a character that cannot be stored.`,
        {
          param,
        },
      );
  }
}
