import type { Kysely, Selectable } from "kysely";
import type { PageRequest } from "../../domain/page.js";
import type { LedgerFilter, LedgerRow, LedgerStore } from "../../usage/ledger/ledger-store.js";
import { readCursor, writeCursor } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import type { LedgerRowTable, Tables } from "../database/tables.js";
import { createLedgerAdder } from "./add-rows.js";
import { whereLedger } from "./filter.js";
import { sumUsage } from "./sum-usage.js";

const rowsAtOnceMax = 1000;

export interface LedgerStoreOptions {
  /** How many groups usage may have; more are refused. */
  readonly groupsMax?: number;
}

/** The ledger in the database, for both kinds of it. */
export function createLedgerStore(
  database: Database,
  { groupsMax = 50_000 }: LedgerStoreOptions = {},
): LedgerStore {
  const { kysely } = database;
  const addRows = createLedgerAdder(database);
  return {
    add: async (rows) => {
      for (let start = 0; start < rows.length; start += rowsAtOnceMax)
        await addRows(rows.slice(start, start + rowsAtOnceMax));
    },
    list: async (filter, page) => {
      const rows = await listStatement(kysely, filter, page).execute();
      const last = rows.length > page.limit ? rows[page.limit - 1] : undefined;
      return { items: rows.slice(0, page.limit).map(toRow), ...(last && { nextCursor: writeCursor(last) }) };
    },
    usage: (query) => sumUsage(kysely, query, groupsMax),
    spentSince: async (keyId, since) => {
      const [all] = await sumUsage(kysely, { groupBy: [], filter: { keyId, from: since } }, 1);
      return all?.costNanos ?? 0;
    },
  };
}

/** One row more than is asked for, to know whether there is a next page. */
export function listStatement(kysely: Kysely<Tables>, filter: LedgerFilter, { limit, cursor }: PageRequest) {
  const place = cursor === undefined ? undefined : readCursor(cursor);
  return kysely
    .selectFrom("ledger_rows")
    .selectAll()
    .where(whereLedger(filter))
    .where((is) => is.and(place ? [is(is.refTuple("at", "id"), "<", is.tuple(place.at, place.id))] : []))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
}

function toRow(row: Selectable<LedgerRowTable>): LedgerRow {
  return {
    id: row.id,
    at: row.at,
    keyId: row.key_id,
    keyName: row.key_name,
    operation: row.operation,
    model: row.model,
    upstream: row.upstream,
    attempts: row.attempts,
    status: row.status,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    images: row.images,
    costNanos: row.cost_nanos,
    ms: row.ms,
    requestBytes: row.request_bytes,
    responseBytes: row.response_bytes,
    cache: row.cache,
    errorCode: row.error_code,
  };
}
