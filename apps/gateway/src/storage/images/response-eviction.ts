import { ownerDigits, ownerOf } from "@model-gateway/domain/scope-id";
import { sql, type Transaction } from "kysely";
import type { Tables } from "../database/schema/tables.js";
import { referenceLengthMax } from "./response-content.js";

/** The rest of a response that was evicted or damaged. */
export const lostContent = { bytes: 0, content: "" };

/** As in the index of the responses by owner. */
export const ownerColumn = sql<string>`substr(id, 1, ${sql.lit(ownerDigits)})`;

const evictedAtOnce = 100;

/**
 * Adds to the bytes of all responses, and to those of the owner of one. Returns the bytes of all. Their row stays locked
 * until the transaction ends: it makes replicas take turns, so that each sees the rows of the previous one.
 */
export async function addBytes(
  transaction: Transaction<Tables>,
  { id, bytes }: Pick<Tables["stored_responses"], "id" | "bytes">,
): Promise<number> {
  const { value } = await transaction
    .updateTable("revisions")
    .set((is) => ({ value: is("value", "+", bytes) }))
    .where("name", "=", "stored_responses")
    .returning("value")
    .executeTakeFirstOrThrow();
  if (bytes !== 0)
    await transaction
      .insertInto("response_holders")
      .values({ owner: ownerOf(id), bytes })
      .onConflict((conflict) =>
        conflict
          .column("owner")
          .doUpdateSet((is) => ({ bytes: is("response_holders.bytes", "+", is.ref("excluded.bytes")) })),
      )
      .execute();
  return value;
}

/** Corrects all counts. Between two sweeps they are too high by the rows that were deleted, never too low. */
export async function countBytes(transaction: Transaction<Tables>): Promise<void> {
  // The lock first: the sums must see the rows of the transaction that had it before.
  await addBytes(transaction, { id: "", bytes: 0 });
  await transaction.deleteFrom("response_holders").execute();
  await sql`
    insert into response_holders (owner, bytes)
    select ${ownerColumn}, cast(sum(bytes) as bigint) from stored_responses where bytes > 0 group by 1`.execute(
    transaction,
  );
  await transaction
    .updateTable("revisions")
    .set({
      value: sql<number>`(select cast(coalesce(sum(bytes), 0) as bigint) from response_holders)`,
    })
    .where("name", "=", "stored_responses")
    .execute();
}

interface Eviction {
  readonly excessBytes: number;
  /** The id of the response that needs the room. */
  readonly kept: string;
  /** Responses of this time and before have expired. */
  readonly expiredBefore: number;
}

/**
 * Removes expired responses, and then the content of others until so many bytes are free: of the oldest of the owner that
 * holds the most, as `FairEviction` does. Returns the start of each: a reference to an object is no longer. Their rows stay: a request with
 * the same key must not be bought again. Only the rows that go are read, since every write that stores a response waits
 * for this one.
 */
export async function evictResponses(
  transaction: Transaction<Tables>,
  { excessBytes, kept, expiredBefore }: Eviction,
): Promise<string[]> {
  if (excessBytes <= 0) return [];
  const starts: string[] = [];
  /** Their counts are too high, or the response that is kept is all that they have. */
  const empty: string[] = [];
  const expired = await deleteExpired(transaction, expiredBefore);
  for (let excess = excessBytes - expired; excess > 0; ) {
    const [most, next] = await largestHolders(transaction, empty);
    // The total was too high. The next sweep corrects it.
    if (most === undefined) break;
    const oldest = await oldestOf(transaction, { owner: most.owner, kept });
    const evicted = firstWith(stepOf({ excess, held: most.bytes, next: next?.bytes ?? 0 }), oldest);
    const [first] = evicted.rows;
    if (first === undefined) {
      empty.push(most.owner);
      continue;
    }
    const ids = evicted.rows.map(({ id }) => id);
    starts.push(...(await startsOf(transaction, ids)));
    await transaction.updateTable("stored_responses").set(lostContent).where("id", "in", ids).execute();
    await addBytes(transaction, { id: first.id, bytes: -evicted.bytes });
    excess -= evicted.bytes;
  }
  return starts;
}

/** Returns the bytes of the rows. Their objects expire as well. */
async function deleteExpired(transaction: Transaction<Tables>, expiredBefore: number): Promise<number> {
  const rows = await transaction
    .deleteFrom("stored_responses")
    .where("written_at", "<=", expiredBefore)
    .where("bytes", ">", 0)
    .returning(["id", "bytes"])
    .execute();
  const ofOwners = new Map<string, { readonly id: string; readonly bytes: number }>();
  for (const { id, bytes } of rows)
    ofOwners.set(ownerOf(id), { id, bytes: bytes + (ofOwners.get(ownerOf(id))?.bytes ?? 0) });
  for (const { id, bytes } of ofOwners.values()) await addBytes(transaction, { id, bytes: -bytes });
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * The bytes that an owner gives up before another one is asked: what it holds more than the next. Where many hold as much
 * it is half of the excess, so that a large response does not take a statement for each small one.
 */
function stepOf(of: { readonly excess: number; readonly held: number; readonly next: number }): number {
  return Math.min(of.excess, Math.max(of.held - of.next, of.excess / 2));
}

function largestHolders(transaction: Transaction<Tables>, empty: readonly string[]) {
  return transaction
    .selectFrom("response_holders")
    .selectAll()
    .where("bytes", ">", 0)
    .$if(empty.length > 0, (query) => query.where("owner", "not in", empty))
    .orderBy("bytes", "desc")
    .orderBy("owner")
    .limit(2)
    .execute();
}

function oldestOf(
  transaction: Transaction<Tables>,
  { owner, kept }: { readonly owner: string; readonly kept: string },
) {
  return (
    transaction
      .selectFrom("stored_responses")
      .select(["id", "bytes"])
      .where(ownerColumn, "=", owner)
      // Not a parameter: the index has these rows alone.
      .where(sql<boolean>`bytes > 0`)
      .where("id", "!=", kept)
      .orderBy("written_at")
      .orderBy("id")
      .limit(evictedAtOnce)
      .execute()
  );
}

async function startsOf(transaction: Transaction<Tables>, ids: readonly string[]): Promise<string[]> {
  const rows = await transaction
    .selectFrom("stored_responses")
    .select(sql<string>`substr(content, 1, ${sql.lit(referenceLengthMax)})`.as("start"))
    .where("id", "in", ids)
    .execute();
  return rows.map(({ start }) => start);
}

/** The first rows that have so many bytes together, or all. */
function firstWith(
  wanted: number,
  rows: readonly Pick<Tables["stored_responses"], "id" | "bytes">[],
): { readonly rows: readonly Pick<Tables["stored_responses"], "id">[]; readonly bytes: number } {
  const first: Pick<Tables["stored_responses"], "id">[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= wanted) break;
    first.push(row);
    bytes += row.bytes;
  }
  return { rows: first, bytes };
}
