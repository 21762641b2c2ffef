import type { CompiledQuery } from "kysely";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import type { Database } from "../database/open-database.js";
import { withJson, writeLedgerJson } from "./rows-json.js";
import { addInOneStatement, addInTurn } from "./statements.js";

/** Adds the rows that are not there yet, and those alone to the sums of their hour and day: all or nothing. */
export type AddLedgerRows = (rows: readonly LedgerRow[]) => Promise<void>;

/** The statements are written once, and not for every batch: that would take longer than all the rest of it. */
export function createLedgerAdder({ kysely, kind }: Database): AddLedgerRows {
  if (kind === "postgres") {
    const statement = addInOneStatement(kysely);
    return async (rows) => void (await kysely.executeQuery(withJson(statement, writeLedgerJson(kind, rows))));
  }
  const { before, insertion, after } = addInTurn(kysely);
  return (rows) => {
    const statements: CompiledQuery[] = [
      ...before,
      withJson(insertion, writeLedgerJson(kind, rows)),
      ...after,
    ];
    return kysely.transaction().execute(async (transaction) => {
      for (const statement of statements) await transaction.executeQuery(statement);
    });
  };
}
