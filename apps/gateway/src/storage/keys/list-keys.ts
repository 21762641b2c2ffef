import { type RawBuilder, sql } from "kysely";
import type { KeyQuery, KeySort, KeyStatus } from "../../keys/key-store.js";
import { decodeCursor, encodeCursor, invalidCursor, isInteger, isStorableText } from "../database/cursor.js";
import { type DatabaseKind, integer, nullable, text } from "../database/define-table.js";
import type { Database } from "../database/open-database.js";
import { jsonRows } from "../ledger/rows-json.js";

/** One list entry: a key from the database or the file, by its id. */
export interface KeyEntry {
  readonly id: string;
  readonly source: "database" | "file";
  readonly last_used_at: number | null;
  /** The sort value. */
  readonly value: string | number;
  /** The number of entries on all pages. */
  readonly total: number;
}

/**
 * Selects one entry more than the limit, to know whether there is a next page. All keys are read and the page is sorted
 * out of them: ten thousand keys take milliseconds, and an index for each sort would not know the configured keys.
 *
 * @param now Milliseconds since 1970.
 */
export function listKeysStatement({ kind }: Database, query: KeyQuery, now: number): RawBuilder<KeyEntry> {
  const { sort, order, limit, spentSince } = query;
  const direction = sql.raw(order);
  const spent =
    sort === "spent"
      ? sql`left join (select key_id, sum(cost_nanos) as nanos from usage_days where starts_at >= ${spentSince}
          group by key_id) as spent on spent.key_id = listed.id`
      : sql``;
  return sql<KeyEntry>`select * from (
      select listed.id, listed.source, listed.last_used_at, ${sortValues[sort]} as value,
        cast(count(*) over () as integer) as total
      from ${allKeys(kind, query)} as listed ${spent} ${where([...matchesSearch(query), ...hasStatus(query, now)])}
    ) as counted ${where(isAfterCursor(query))}
    order by value ${direction}, id ${direction} limit ${limit + 1}`;
}

function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

export function writeKeyCursor({ sort, order }: KeyQuery, { value, id }: KeyEntry): string {
  return encodeCursor([sort, order, value, id]);
}

const sortValues: Readonly<Record<KeySort, RawBuilder<unknown>>> = {
  createdAt: sql`listed.created_at`,
  name: sql`lower(listed.name)`,
  lastUsedAt: sql`coalesce(listed.last_used_at, 0)`,
  spent: sql`cast(coalesce(spent.nanos, 0) as bigint)`,
};

interface FileKeyRow {
  readonly id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly expires_at: number | null;
  readonly is_disabled: number;
}

/** The keys in the database and in the file. The latter have no creation time: they count as the oldest. */
function allKeys(kind: DatabaseKind, { fileKeys }: KeyQuery): RawBuilder<unknown> {
  const rows = fileKeys.map(({ id, name, owner, expiresAt, isDisabled }) => ({
    id,
    name,
    owner: owner ?? null,
    expires_at: expiresAt ?? null,
    is_disabled: Number(isDisabled),
  }));
  const given = jsonRows<FileKeyRow>(kind, rows, {
    id: text(),
    name: text(),
    owner: nullable(text()),
    expires_at: nullable(integer()),
    is_disabled: integer(),
  });
  const byBytes = kind === "postgres" ? sql`collate "C"` : sql``;
  return sql`(select id, name, owner, last_four, created_at, last_used_at, revoked_at, expires_at, is_disabled,
      'database' as source from access_keys
    union all select given.id ${byBytes}, given.name ${byBytes}, given.owner ${byBytes}, '', 0,
      (select max(at) from ledger_rows where key_id = given.id), cast(null as bigint), given.expires_at,
      given.is_disabled, 'file' from ${given})`;
}

function matchesSearch({ search }: KeyQuery): RawBuilder<unknown>[] {
  if (search === undefined) return [];
  const lowerCase = search.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = `%${lowerCase.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const columns = ["name", "owner", "last_four"].map((name) => sql.ref(`listed.${name}`));
  const matches = columns.map((column) => sql`lower(${column}) like ${pattern} escape '\\'`);
  return [sql`(${sql.join(matches, sql` or `)})`];
}

/** As `keyStatus` decides. */
function hasStatus({ status }: KeyQuery, now: number): RawBuilder<unknown>[] {
  if (status === undefined) return [];
  const isUnexpired = sql`(listed.expires_at is null or listed.expires_at > ${now})`;
  const conditions: Readonly<Record<KeyStatus, RawBuilder<unknown>>> = {
    revoked: sql`listed.revoked_at is not null`,
    expired: sql`listed.revoked_at is null and listed.expires_at <= ${now}`,
    disabled: sql`listed.revoked_at is null and ${isUnexpired} and listed.is_disabled = 1`,
    active: sql`listed.revoked_at is null and ${isUnexpired} and listed.is_disabled = 0`,
  };
  return [conditions[status]];
}

function isAfterCursor({ sort, order, cursor }: KeyQuery): RawBuilder<unknown>[] {
  if (cursor === undefined) return [];
  const [cursorSort, cursorOrder, value, id, ...others] = decodeCursor(cursor);
  const isValid =
    cursorSort === sort &&
    cursorOrder === order &&
    (sort === "name" ? isStorableText(value) : isInteger(value)) &&
    isStorableText(id) &&
    others.length === 0;
  if (!isValid) throw invalidCursor();
  return [sql`(value, id) ${sql.raw(order === "asc" ? ">" : "<")} (${value}, ${id})`];
}
