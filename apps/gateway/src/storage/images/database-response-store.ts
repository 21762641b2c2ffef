import type { LockAttempt, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import { createDatabaseLocks, type DatabaseLocks } from "./database-locks.js";
import {
  damagedResponse,
  parseEntry,
  responseTooLarge,
  responseTtlMs,
  sweepEveryMs,
  writeEntry,
} from "./stored-entry.js";

export interface DatabaseResponseStoreOptions {
  /** All answers of all replicas together never take more; the oldest go first. */
  readonly bytesMax: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of what no request waits for: a failed sweep or renewal, a damaged answer, one too large to keep. */
  readonly onFailure: (failure: unknown) => void;
}

/** Keeps answers for 24 hours in the database, for all replicas that share it. */
export async function openDatabaseResponseStore(
  database: Database,
  options: DatabaseResponseStoreOptions,
): Promise<ResponseStore> {
  const store = new DatabaseAnswerStore(database, options);
  await store.sweep();
  return store;
}

class DatabaseAnswerStore implements ResponseStore {
  readonly #kysely: Database["kysely"];
  readonly #options: DatabaseResponseStoreOptions;
  readonly #claims: DatabaseLocks;
  readonly #timer: NodeJS.Timeout;
  readonly #writing = new Set<Promise<void>>();

  constructor(database: Database, options: DatabaseResponseStoreOptions) {
    this.#kysely = database.kysely;
    this.#options = options;
    this.#claims = createDatabaseLocks(database, options);
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
    const entry = parseEntry(row.content);
    if (entry !== undefined) return entry;
    await this.#kysely
      .deleteFrom("stored_answers")
      .where("id", "=", id)
      .where("content", "=", row.content)
      .execute();
    this.#options.onFailure(damagedResponse(id));
    return undefined;
  }

  /** Who has the right looks once more: the one who had it before may have written its answer since. */
  async lock(id: string, fingerprint: string): Promise<LockAttempt> {
    const claim = await this.#claims.take(id, fingerprint);
    if (!("lease" in claim)) return { kind: "theirs", ...claim };
    try {
      const entry = await this.read(id);
      if (entry === undefined) return { kind: "mine", ...claim };
      await claim.lease.release();
      return { kind: "stored", entry };
    } catch (failure) {
      // Nobody could release it any more, and it would be kept up for ever.
      await claim.lease.release();
      throw failure;
    }
  }

  write(id: string, entry: StoredEntry): Promise<void> {
    const writing = this.#write(id, writeEntry(entry)).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }

  async sweep(): Promise<void> {
    await this.#kysely
      .deleteFrom("stored_answers")
      .where("written_at", "<=", this.#expiredBefore())
      .execute();
    await this.#claims.sweep();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#claims.close();
    await Promise.allSettled(this.#writing);
  }

  async #write(id: string, content: string): Promise<void> {
    const { bytesMax, now, onFailure } = this.#options;
    const bytes = Buffer.byteLength(content);
    if (bytes > bytesMax) {
      onFailure(responseTooLarge(bytes, bytesMax));
      return;
    }
    await this.#kysely.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("stored_answers")
        .values({ id, written_at: now(), bytes, content })
        // The answer that came first may have been replayed already, and stays, unless its day is over.
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
        .execute();
      // From here on replicas take turns, so that each sees what the one before has kept.
      await transaction
        .updateTable("revisions")
        .set((is) => ({ value: is("value", "+", 1) }))
        .where("name", "=", "stored_answers")
        .execute();
      await transaction
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
            .where("summed.total", ">", bytesMax),
        )
        .execute();
    });
  }

  #expiredBefore(): number {
    return this.#options.now() - responseTtlMs;
  }
}
