import type { ExpiringObjects } from "@model-gateway/object-store/expiring-objects";
import { every, type Repetition } from "@model-gateway/runtime/every";
import { joinBytes } from "@model-gateway/runtime/join-bytes";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { sql, type Transaction } from "kysely";
import type { LockAttempt, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { DatabaseLocks } from "./database-locks.js";
import { ResponseContent } from "./response-content.js";
import { addBytes, countBytes, evictResponses, lostContent, ownerColumn } from "./response-eviction.js";
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
  /** Limit for the responses of all replicas together. Beyond it, the caller that holds the most loses its oldest. */
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
  readonly #sweeping: Repetition;
  readonly #writes = new Set<Promise<void>>();

  constructor(database: Database, options: DatabaseResponseStoreOptions) {
    this.#kysely = database.kysely;
    this.#options = options;
    this.#content = new ResponseContent(options);
    this.#locks = new DatabaseLocks(database, options);
    const { onFailure } = options;
    this.#sweeping = every(sweepEveryMs, () => this.sweep(), { task: "remove_expired_responses", onFailure });
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
    const writing = this.#write(id, entry).finally(() => this.#writes.delete(writing));
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
    await this.#kysely.transaction().execute(countBytes);
  }

  /** A row without content that goes too soon lets an image be bought again, so each caller keeps its part of them. */
  async #deleteOld(): Promise<void> {
    await this.#kysely
      .deleteFrom("stored_responses")
      .where("written_at", "<=", this.#expiredBefore())
      .execute();
    await sql`
      delete from stored_responses where id in (
        select id from (
          select id, written_at, row_number() over (partition by ${ownerColumn} order by written_at desc, id) as place
          from stored_responses where bytes = 0
        ) as lost
        order by place, written_at desc
        -- SQLite has no offset without a limit.
        limit ${sql.lit(lostResponsesMax)} offset ${sql.lit(lostResponsesMax)}
      )`.execute(this.#kysely);
  }

  async close(): Promise<void> {
    void this.#sweeping.stop();
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
    const entry = text === undefined ? undefined : await inSlices(parseEntry(text), new TimeSlice());
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

  async #write(id: string, entry: StoredEntry): Promise<void> {
    const { bytesMax, now } = this.#options;
    const text = await inSlices(joinBytes(writeEntry(entry)), new TimeSlice());
    const bytes = text.length;
    if (bytes > bytesMax) throw responseTooLarge(bytes, bytesMax);
    const writtenAt = now();
    const content = await this.#content.write(text, writtenAt + responseTtlMs);
    const row = { id, written_at: writtenAt, bytes, content };
    const removed = await this.#kysely.transaction().execute(async (transaction) => {
      const isStored = await this.#insert(row, transaction);
      const total = await addBytes(transaction, { id, bytes: isStored ? bytes : 0 });
      const evicted = await evictResponses(transaction, {
        excessBytes: total - bytesMax,
        kept: id,
        expiredBefore: this.#expiredBefore(),
      });
      return isStored ? evicted : [...evicted, content];
    });
    await this.#content.remove(removed);
  }

  /** The first response may have been replayed already, so it stays unless it has expired or is lost. Then this returns false. */
  async #insert(row: Tables["stored_responses"], transaction: Transaction<Tables>): Promise<boolean> {
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

  #expiredBefore(): number {
    return this.#options.now() - responseTtlMs;
  }
}
