import type { CompiledQuery } from "kysely";
import { fromColumns } from "../../usage/ledger/generated/ledger-row.js";
import type { LedgerRow, LedgerStore } from "../../usage/ledger/ledger-store.js";
import { isStorable, writeCursor } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { listStatement } from "./list-rows.js";
import { withJson, writeLedgerJson } from "./rows-json.js";
import { addInOneStatement, addInTransaction } from "./statements.js";
import { sumCostByKey, sumUsage } from "./sum-usage.js";

const rowsAtOnceMax = 1000;

interface LedgerStoreOptions {
  /** Number of groups that a usage query may return; more are refused. */
  readonly groupsMax?: number;
}

export function createLedgerStore(
  database: Database,
  { groupsMax = 50_000 }: LedgerStoreOptions = {},
): LedgerStore {
  const { kysely } = database;
  const addRows = createAddRows(database);
  return {
    add: async (rows) => {
      for (let start = 0; start < rows.length; start += rowsAtOnceMax)
        await addRows(rows.slice(start, start + rowsAtOnceMax));
    },
    find: async (id) => {
      if (!isStorable(id)) return undefined;
      const row = await kysely.selectFrom("ledger_rows").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toRow(row);
    },
    list: async (filter, page) => {
      const rows = await listStatement(database, filter, page).execute();
      const last = rows.length > page.limit ? rows[page.limit - 1] : undefined;
      return { items: rows.slice(0, page.limit).map(toRow), ...(last && { nextCursor: writeCursor(last) }) };
    },
    usage: (query) => sumUsage(database, query, groupsMax),
    spentSince: async (keyId, since) => {
      const spent = await sumCostByKey(kysely, { keyId, from: since });
      const { costNanos = 0, estimatedNanos = 0 } = spent.get(keyId) ?? {};
      return costNanos + estimatedNanos;
    },
    spentByKey: (keyIds, since) => sumCostByKey(kysely, { keyIds, from: since }),
    spentByBatch: async (batchIds) => {
      if (batchIds.length === 0) return new Map();
      const rows = await kysely
        .selectFrom("batch_costs")
        .selectAll()
        .where("batch_id", "in", batchIds)
        .execute();
      return new Map(
        rows.map(({ batch_id, requests, cost_nanos, unpriced }) => [
          batch_id,
          { requests, costNanos: cost_nanos, unpriced },
        ]),
      );
    },
    costsOf: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await kysely
        .selectFrom("ledger_rows")
        .select(["id", "cost_nanos"])
        .where("id", "in", ids)
        .execute();
      return new Map(rows.map(({ id, cost_nanos }) => [id, cost_nanos]));
    },
  };
}

/** Adds the rows that are not stored yet, and only those to the rollups of their hour and day: all or nothing. */
type AddRows = (rows: readonly LedgerRow[]) => Promise<void>;

/** Compiles the statements once: compiling them for every batch would cost more than the rest of it. */
function createAddRows(database: Database): AddRows {
  const { kysely, kind } = database;
  if (kind === "postgres") {
    const statement = addInOneStatement(kysely, { hasLines: false });
    const withLines = addInOneStatement(kysely, { hasLines: true });
    // To plan their 33 KB takes seven times as long as to run them with one row.
    for (const one of [statement, withLines]) database.prepare(one);
    return async (rows) => {
      const chosen = rows.some(isLine) ? withLines : statement;
      await kysely.executeQuery(withJson(chosen, writeLedgerJson(kind, rows)));
    };
  }
  const { before, insertion, batchCosts, after } = addInTransaction(kysely);
  return (rows) => {
    const statements: CompiledQuery[] = [
      ...before,
      withJson(insertion, writeLedgerJson(kind, rows)),
      ...(rows.some(isLine) ? [batchCosts] : []),
      ...after,
    ];
    return kysely.transaction().execute(async (transaction) => {
      for (const statement of statements) await transaction.executeQuery(statement);
    });
  };
}

/** Whether the request is a line of a batch. */
function isLine({ batchId }: LedgerRow): boolean {
  return batchId !== null;
}

function toRow(row: Tables["ledger_rows"]): LedgerRow {
  return fromColumns(row, readJson);
}

/** Null if another version of the gateway has written it in another form. */
function readJson<Value>(json: string, check: (value: unknown) => value is Value): Value | null {
  const value: unknown = JSON.parse(json);
  return check(value) ? value : null;
}
