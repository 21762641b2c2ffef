import type { RecordOwner } from "@model-gateway/domain/record-owner";
import { type RawBuilder, sql } from "kysely";

interface OwnedPage {
  readonly table: "jobs" | "batches" | "files";
  /** Conditions on `key_id` or `owner` come first, so each is one range of an index in the order of the page. */
  readonly where: RawBuilder<unknown>;
  readonly orderBy: RawBuilder<unknown>;
  readonly limit: number;
}

/**
 * The ids of the records on a page that belong to a key or to its owner. They are the first of the key and the first of the
 * owner together: `key_id = ... or owner = ...` would read all rows of both and sort them.
 */
export function idsOf(
  { keyId, owner }: RecordOwner,
  { table, where, orderBy, limit }: OwnedPage,
): RawBuilder<string> {
  const first = (column: "key_id" | "owner", value: string) =>
    sql`select id from (select id from ${sql.table(table)} where ${sql.ref(column)} = ${value} and ${where}
      order by ${orderBy} limit ${limit}) as ${sql.ref(`by_${column}`)}`;
  return owner === undefined
    ? sql<string>`(${first("key_id", keyId)})`
    : sql<string>`(${first("key_id", keyId)} union ${first("owner", owner)})`;
}
