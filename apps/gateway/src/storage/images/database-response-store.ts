import { sql } from "kysely";
import type { LockAttempt, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import type { StoredResponseTable } from "../database/tables.js";
import type { ExpiringObjects } from "../s3/expiring-objects.js";
import { createDatabaseLocks, type DatabaseLocks } from "./database-locks.js";
import { ResponseContent, referenceLengthMax } from "./response-content.js";
import {
  damagedResponse,
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
  /** Called with failures that no request waits for: a failed sweep or renewal, a damaged or too large response. */
  readonly onFailure: (failure: unknown) => void;
  /** Where large responses are kept. Without it, all are in the database. */
  readonly objects?: ExpiringObjects;
  /** Responses up to this size stay in the database: a replay needs no bucket then. */
  readonly inlineBytesMax?: number;
}

/** Stores responses in the database for 24 hours, for all replicas that share it. Large ones may be in a bucket. */
export async function openDatabaseResponseStore(
  database: Database,
  options: DatabaseResponseStoreOptions,
): Promise<ResponseStore> {
  const store = new DatabaseResponseStore(database, options);
  // The database may be away. It is swept again later.
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
    this.#locks = createDatabaseLocks(database, options);
    this.#timer = setInterval(() => void this.sweep().catch(options.onFailure), sweepEveryMs).unref();
  }

  async read(id: string): Promise<StoredEntry | undefined> {
    const row = await this.#kysely
      .selectFrom("stored_answers")
      .select("content")
      .where("id", "=", id)
      .where("written_at", ">", this.#expiredBefore())
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const text = await this.#content.read(row.content);
    const entry = text === undefined ? undefined : parseEntry(text);
    if (entry !== undefined) return entry;
    await this.#kysely
      .deleteFrom("stored_answers")
      .where("id", "=", id)
      .where("content", "=", row.content)
      .execute();
    await this.#content.remove([row.content]);
    this.#options.onFailure(damagedResponse(id));
    return undefined;
  }

  /** Reads once more under the lock: the previous holder may have written its response since. */
  async lock(id: string, fingerprint: string): Promise<LockAttempt> {
    const attempt = await this.#locks.acquire(id, fingerprint);
    if (!("lease" in attempt)) return { kind: "held", ...attempt };
    try {
      const entry = await this.read(id);
      if (entry === undefined) return { kind: "acquired", ...attempt };
      await attempt.lease.release();
      return { kind: "stored", entry };
    } catch (failure) {
      // Otherwise the lock would be renewed for ever, and no caller could release it.
      await attempt.lease.release();
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
    await this.#kysely
      .deleteFrom("stored_answers")
      .where("written_at", "<=", this.#expiredBefore())
      .execute();
    await this.#locks.sweep();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#locks.close();
    await Promise.allSettled(this.#writes);
  }

  async #write(id: string, text: string): Promise<void> {
    const { bytesMax, now, onFailure } = this.#options;
    const bytes = Buffer.byteLength(text);
    if (bytes > bytesMax) {
      onFailure(responseTooLarge(bytes, bytesMax));
      return;
    }
    const writtenAt = now();
    const content = await this.#content.write(text, writtenAt + responseTtlMs);
    const row = { id, written_at: writtenAt, bytes, content };
    const removed = await this.#kysely.transaction().execute(async (transaction) => {
      const isStored = await this.#insert(row, transaction);
      // This row lock makes replicas take turns, so that each sees what the previous one stored.
      await transaction
        .updateTable("revisions")
        .set((is) => ({ value: is("value", "+", 1) }))
        .where("name", "=", "stored_answers")
        .execute();
      const evicted = await this.#evict(transaction);
      return isStored ? evicted : [...evicted, content];
    });
    await this.#content.remove(removed);
  }

  /** The first response may have been replayed already, so it stays unless it has expired. Then this returns false. */
  async #insert(row: StoredResponseTable, transaction: Database["kysely"]): Promise<boolean> {
    const inserted = await transaction
      .insertInto("stored_answers")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((is) => ({
            written_at: is.ref("excluded.written_at"),
            bytes: is.ref("excluded.bytes"),
            content: is.ref("excluded.content"),
          }))
          .where("stored_answers.written_at", "<=", this.#expiredBefore()),
      )
      .returning("id")
      .executeTakeFirst();
    return inserted !== undefined;
  }

  /** Removes the oldest responses beyond the limit. Returns the start of each: a reference to an object is no longer. */
  async #evict(transaction: Database["kysely"]): Promise<string[]> {
    const evicted = await transaction
      .deleteFrom("stored_answers")
      .where("id", "in", (among) =>
        among
          .selectFrom((from) =>
            from
              .selectFrom("stored_answers")
              .select([
                "id",
                (is) =>
                  is.fn
                    .sum<number>("bytes")
                    .over((over) => over.orderBy("written_at", "desc").orderBy("id", "desc"))
                    .as("total"),
              ])
              .as("summed"),
          )
          .select("summed.id")
          .where("summed.total", ">", this.#options.bytesMax),
      )
      .returning(sql<string>`substr(content, 1, ${sql.lit(referenceLengthMax)})`.as("start"))
      .execute();
    return evicted.map(({ start }) => start);
  }

  #expiredBefore(): number {
    return this.#options.now() - responseTtlMs;
  }
}
