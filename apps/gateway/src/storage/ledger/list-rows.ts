import type { PageRequest } from "@model-gateway/domain/page";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { LedgerFilter } from "../../usage/ledger/ledger-store.js";
import { readCursor } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { internalKeysTable, keysOfOwner, refuseUnstorable, whereLedger } from "./filter.js";

/** Selects rows, newest first: one more than the limit, to know whether there is a next page. */
export function listStatement(database: Database, filter: LedgerFilter, page: PageRequest) {
  const { owner, ...others } = filter;
  const { kysely } = database;
  const keys = owner === undefined ? internalKeysOf(filter) : keysOfOwner(owner);
  if (keys === undefined) return newest(kysely, others, page).selectAll();
  refuseUnstorable(filter);
  return kysely
    .selectFrom(rowsOfKeys(database, keys, { filter: others, page }).as("ledger_rows"))
    .selectAll()
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1);
}

function newest(kysely: Kysely<Tables>, filter: LedgerFilter, { limit, cursor }: PageRequest) {
  const position = cursor === undefined ? undefined : readCursor(cursor);
  return kysely
    .selectFrom("ledger_rows")
    .where(whereLedger(filter))
    .where((is) =>
      is.and(position ? [is(is.refTuple("at", "id"), "<", is.tuple(position.at, position.id))] : []),
    )
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
}

function internalKeysOf({ isInternal }: LedgerFilter): RawBuilder<unknown> | undefined {
  return isInternal === true ? internalKeysTable() : undefined;
}

interface KeysPage {
  readonly filter: LedgerFilter;
  readonly page: PageRequest;
}

/**
 * The newest rows of each key, from the index of keys. A plain condition would either read all rows of these keys, or
 * all rows up to the last one that fits.
 *
 * @param keys Selects their ids, as `id`.
 */
function rowsOfKeys(
  { kysely, kind }: Database,
  keys: RawBuilder<unknown>,
  { filter, page }: KeysPage,
): RawBuilder<Tables["ledger_rows"]> {
  const ofKey = newest(kysely, filter, page).where(sql`key_id`, "=", sql`owned.id`);
  const owned = sql`(${keys}) as owned`;
  if (kind === "postgres")
    return sql`(select of_key.* from ${owned} cross join lateral (${ofKey.selectAll()}) as of_key)`;
  // SQLite has no lateral joins. An argument of json_each may refer to the tables before it.
  const times = sql`select json_group_array(json_array(at, id)) from (${ofKey.select(["at", "id"])})`;
  const [at, id] = [sql`json_extract(of_key.value, '$[0]')`, sql`json_extract(of_key.value, '$[1]')`];
  return sql`(select found.* from (
      select ${id} as id from ${owned}, json_each((${times})) as of_key
      order by ${at} desc, ${id} desc limit ${page.limit + 1}
    ) as chosen join ledger_rows as found on found.id = chosen.id)`;
}
