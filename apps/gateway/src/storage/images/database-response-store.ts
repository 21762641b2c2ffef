import { sql, type Transaction } from "kysely";
import type { LockAttempt, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import type { StoredResponseTable, Tables } from "../database/tables.js";
import type { ExpiringObjects } from "../s3/expiring-objects.js";
import { DatabaseLocks } from "./database-locks.js";
import { ResponseContent, referenceLengthMax } from "./response-content.js";
import {
  damagedResponse,
  lostResponsesMax,
  parseEntry,
  responseTooLarge,
  responseTtlMs,
  sweepEveryMs,
  writeEntry,
} from "./stored-entry.js";

export interface DatabaseResponseStoreOptions {
  /** Limit for the responses of all replicas together; the oldest are removed first. */
  readonly bytesMax: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with failures that no request waits for: a failed sweep or renewal, a damaged response. */
  readonly onFailure: (failure: unknown) => void;
  /** Store for large responses. Without it, all are in the database. */
  readonly objects?: ExpiringObjects;
  /** Responses up to this size stay in the database: a replay needs no bucket then. */
  readonly inlineBytesMax?: number;
}

const evictedAtOnce = 100;

/** Stores responses in the database for 24 hours, for all replicas that share it. Large ones may be in a bucket. */
export async function openDatabaseResponseStore(
  database: Database,
  options: DatabaseResponseStoreOptions,
): Promise<ResponseStore> {
  const store = new DatabaseResponseStore(database, options);
  // The database may be down. It is swept again later.
  await store.sweepDatabase().catch(options.onFailure);
  return store;
}

class DatabaseResponseStore implements ResponseStore {
  readonly #kysely: Database["kysely"];
  readonly #options: DatabaseResponseStoreOptions;
  readonly #content: ResponseContent;
  readonly #locks: DatabaseLocks;
  readonly #timer: NodeJS.Timeout;
  readonly #writes = new Set<Promise<void>>();

  constructor(database: Database, options: DatabaseResponseStoreOptions) {
    this.#kysely = database.kysely;
    this.#options = options;
    this.#content = new ResponseContent(options);
    this.#locks = new DatabaseLocks(database, options);
    this.#timer = setInterval(() => void this.sweep().catch(options.onFailure), sweepEveryMs).unref();
  }

  async read(id: string): Promise<StoredEntry | undefined> {
    const found = await this.#find(id);
    return found === "lost" ? undefined : found;
  }

  /** Reads once more under the lock: the previous holder may have written its response since. */
  async lock(id: string, fingerprint: string): Promise<LockAttempt> {
    const attempt = await this.#locks.acquire(id, fingerprint);
    if (attempt.kind === "held") return attempt;
    const release = async () => (attempt.kind === "acquired" ? attempt.lease.release() : undefined);
    try {
      const found = await this.#find(id);
      if (found === undefined) return attempt;
      await release();
      return found === "lost" ? { kind: "lost" } : { kind: "stored", entry: found };
    } catch (failure) {
      // Otherwise the lock would be renewed for ever, and no caller could release it.
      await release();
      throw failure;
    }
  }

  write(id: string, entry: StoredEntry): Promise<void> {
    const writing = this.#write(id, writeEntry(entry)).finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
    return writing;
  }

  async sweep(): Promise<void> {
    await this.sweepDatabase();
    await this.#options.objects?.sweep();
  }

  async sweepDatabase(): Promise<void> {
    await this.#deleteOld();
    await this.#locks.sweep();
    await this.#countBytes();
  }

  async #deleteOld(): Promise<void> {
    await this.#kysely
      .deleteFrom("stored_responses")
      .where("written_at", "<=", this.#expiredBefore())
      .execute();
    await this.#kysely
      .deleteFrom("stored_responses")
      .where("id", "in", (among) =>
        among
          .selectFrom("stored_responses")
          .select("id")
          .where("bytes", "=", 0)
          .orderBy("written_at", "desc")
          // SQLite has no offset without a limit.
          .limit(lostResponsesMax)
          .offset(lostResponsesMax),
      )
      .execute();
  }

  /** Corrects the total. Between two sweeps it is too high by the rows that were deleted, never too low. */
  async #countBytes(): Promise<void> {
    await this.#kysely.transaction().execute(async (transaction) => {
      // The lock first: the sum must see the rows of the transaction that had it before.
      await addBytes(transaction, 0);
      const { bytes } = await transaction
        .selectFrom("stored_responses")
        .select((is) => is.fn.coalesce(is.fn.sum<number>("bytes"), sql.lit(0)).as("bytes"))
        .executeTakeFirstOrThrow();
      await transaction
        .updateTable("revisions")
        .set({ value: Number(bytes) })
        .where("name", "=", "stored_responses")
        .execute();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#locks.close();
    await Promise.allSettled(this.#writes);
  }

  /** A row without content was evicted or damaged. */
  async #find(id: string): Promise<StoredEntry | "lost" | undefined> {
    const row = await this.#kysely
      .selectFrom("stored_responses")
      .select(["bytes", "content"])
      .where("id", "=", id)
      .where("written_at", ">", this.#expiredBefore())
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (row.bytes === 0) return "lost";
    const text = await this.#content.read(row.content);
    const entry = text === undefined ? undefined : parseEntry(text);
    if (entry !== undefined) return entry;
    await this.#kysely
      .updateTable("stored_responses")
      .set(lostContent)
      .where("id", "=", id)
      .where("content", "=", row.content)
      .execute();
    await this.#content.remove([row.content]);
    this.#options.onFailure(damagedResponse(id));
    return "lost";
  }

  async #write(id: string, text: string): Promise<void> {
    const { bytesMax, now } = this.#options;
    const bytes = Buffer.byteLength(text);
    if (bytes > bytesMax) throw responseTooLarge(bytes, bytesMax);
    const writtenAt = now();
    const content = await this.#content.write(text, writtenAt + responseTtlMs);
    const row = { id, written_at: writtenAt, bytes, content };
    const removed = await this.#kysely.transaction().execute(async (transaction) => {
      const isStored = await this.#insert(row, transaction);
      // This row lock makes replicas take turns, so that each sees the previous one's rows.
      const total = await addBytes(transaction, isStored ? bytes : 0);
      const evicted = await this.#evict(transaction, { excessBytes: total - bytesMax, kept: id });
      return isStored ? evicted : [...evicted, content];
    });
    await this.#content.remove(removed);
  }

  /** The first response may have been replayed already, so it stays unless it has expired or is lost. Then this returns false. */
  async #insert(row: StoredResponseTable, transaction: Transaction<Tables>): Promise<boolean> {
    const inserted = await transaction
      .insertInto("stored_responses")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((is) => ({
            written_at: is.ref("excluded.written_at"),
            bytes: is.ref("excluded.bytes"),
            content: is.ref("excluded.content"),
          }))
          .where((is) =>
            is.or([
              is("stored_responses.written_at", "<=", this.#expiredBefore()),
              is("stored_responses.bytes", "=", 0),
            ]),
          ),
      )
      .returning("id")
      .executeTakeFirst();
    return inserted !== undefined;
  }

  /**
   * Removes the content of the oldest responses until so many bytes are free. Returns the start of each: a reference to
   * an object is no longer. Their rows stay: a request with the same key must not be bought again. Only the rows that go
   * are read, since every write that stores a response waits for this one.
   */
  async #evict(
    transaction: Transaction<Tables>,
    { excessBytes, kept }: { readonly excessBytes: number; readonly kept: string },
  ): Promise<string[]> {
    const starts: string[] = [];
    for (let excess = excessBytes; excess > 0; ) {
      const oldest = await transaction
        .selectFrom("stored_responses")
        .select(["id", "bytes"])
        .where("bytes", ">", 0)
        .where("id", "!=", kept)
        .orderBy("written_at")
        .orderBy("id")
        .limit(evictedAtOnce)
        .execute();
      const { ids, bytes } = firstWith(excess, oldest);
      // The total was too high. The next sweep corrects it.
      if (ids.length === 0) break;
      const evicted = await transaction
        .selectFrom("stored_responses")
        .select(sql<string>`substr(content, 1, ${sql.lit(referenceLengthMax)})`.as("start"))
        .where("id", "in", ids)
        .execute();
      starts.push(...evicted.map(({ start }) => start));
      await transaction.updateTable("stored_responses").set(lostContent).where("id", "in", ids).execute();
      await addBytes(transaction, -bytes);
      excess -= bytes;
    }
    return starts;
  }

  #expiredBefore(): number {
    return this.#options.now() - responseTtlMs;
  }
}

/** The rest of a response that was evicted or damaged. */
const lostContent = { bytes: 0, content: "" };

/** Adds to the bytes of all responses, and returns them. The row stays locked until the transaction ends. */
async function addBytes(transaction: Transaction<Tables>, bytes: number): Promise<number> {
  const { value } = await transaction
    .updateTable("revisions")
    .set((is) => ({ value: is("value", "+", bytes) }))
    .where("name", "=", "stored_responses")
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}

/** The first rows that have so many bytes together, or all. */
function firstWith(
  excess: number,
  rows: readonly Pick<StoredResponseTable, "id" | "bytes">[],
): { readonly ids: readonly string[]; readonly bytes: number } {
  const ids: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= excess) break;
    ids.push(row.id);
    bytes += row.bytes;
  }
  return { ids, bytes };
}
