import { sql, type Transaction } from "kysely";
import type {
  ExceededQuota,
  FileIndex,
  FilePage,
  FileQuery,
  FileQuotas,
  FileRecord,
} from "../../files/file-index.js";
import { isStorable } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import { idsOf } from "../database/records-of.js";
import type { Tables } from "../database/schema/tables.js";
import { exceededQuota, lockQuotas } from "./file-quotas.js";

interface FileIndexOptions {
  /** Where this process stores files. */
  readonly site: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A gateway that is away for so long may not come back. Its bytes are gone with it. */
const absenceMs = 24 * 3_600_000;

/** Records of files, in a table that all replicas share. */
export class DatabaseFileIndex implements FileIndex {
  readonly site: string;
  readonly #kysely: Database["kysely"];
  readonly #lookups: Database["lookups"];
  readonly #now: () => number;

  constructor({ kysely, lookups }: Database, { site, now }: FileIndexOptions) {
    this.site = site;
    this.#kysely = kysely;
    this.#lookups = lookups;
    this.#now = now;
  }

  async insert(record: FileRecord, quotas?: FileQuotas): Promise<ExceededQuota | undefined> {
    if (quotas === undefined) {
      await this.#kysely.insertInto("files").values(toRow(record)).execute();
      return undefined;
    }
    return this.#kysely.transaction().execute(async (transaction) => {
      await lockQuotas(transaction);
      const exceeded = await this.#exceeded(transaction, record, quotas);
      if (exceeded === undefined) await transaction.insertInto("files").values(toRow(record)).execute();
      return exceeded;
    });
  }

  check(file: Pick<FileRecord, "keyId" | "bytes">, quotas: FileQuotas): Promise<ExceededQuota | undefined> {
    return this.#exceeded(this.#kysely, file, quotas);
  }

  async find(id: string): Promise<FileRecord | undefined> {
    if (!isStorable(id)) return undefined;
    const row = await this.#kysely
      .selectFrom("files")
      .select(columns)
      .where("id", "=", id)
      .where("expires_at", ">", this.#now())
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async list({ of, purpose, order, limit, after }: FileQuery): Promise<FilePage> {
    const where = sql<boolean>`expires_at > ${this.#now()}
      and ${purpose === undefined ? sql`true` : sql`purpose = ${purpose}`}
      and ${after === undefined ? sql`true` : sql`id ${order === "asc" ? sql`>` : sql`<`} ${after}`}`;
    const orderBy = order === "asc" ? sql`id` : sql`id desc`;
    const page = this.#kysely
      .selectFrom("files")
      .select(columns)
      .orderBy("id", order)
      .limit(limit + 1);
    const rows = await (of === undefined
      ? page.where(where)
      : page.where("id", "in", idsOf(of, { table: "files", where, orderBy, limit: limit + 1 }))
    ).execute();
    return { items: rows.slice(0, limit).map(toRecord), hasMore: rows.length > limit };
  }

  async noteRefusal(id: string, refusal: string): Promise<void> {
    await this.#kysely.updateTable("files").set({ refusal }).where("id", "=", id).execute();
  }

  async refusalOf(id: string): Promise<string | undefined> {
    const row = await this.#lookups
      .selectFrom("files")
      .select("refusal")
      .where("id", "=", id)
      .executeTakeFirst();
    return row?.refusal ?? undefined;
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.#kysely
      .deleteFrom("files")
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    return deleted !== undefined;
  }

  async expire(id: string): Promise<boolean> {
    const now = this.#now();
    const expired = await this.#kysely
      .updateTable("files")
      .set({ expires_at: now })
      .where("id", "=", id)
      .where("expires_at", ">", now)
      .returning("id")
      .executeTakeFirst();
    return expired !== undefined;
  }

  async expired(count: number): Promise<string[]> {
    const now = this.#now();
    const rows = await this.#lookups
      .selectFrom("files")
      .select("id")
      .where("expires_at", "<=", now)
      .where((is) => is.or([is("site", "=", this.site), is("expires_at", "<=", now - absenceMs)]))
      .orderBy("expires_at")
      .limit(count)
      .execute();
    return rows.map(({ id }) => id);
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#kysely.selectFrom("files").select("id").where("id", "in", ids).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** One atomic statement: of all concurrent processes, one finds the last search old. */
  async claimOrphanSearch(everyMs: number): Promise<boolean> {
    const now = this.#now();
    const claimed = await this.#kysely
      .insertInto("settings")
      .values({ name: `orphans_searched_at ${this.site}`, value: sortable(now) })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet((is) => ({ value: is.ref("excluded.value") }))
          // A time in the future is that of a clock that was set back.
          .where((is) =>
            is.or([
              is("settings.value", "<=", sortable(now - everyMs)),
              is("settings.value", ">", sortable(now + everyMs)),
            ]),
          ),
      )
      .returning("name")
      .executeTakeFirst();
    return claimed !== undefined;
  }

  #exceeded(
    kysely: Database["kysely"] | Transaction<Tables>,
    { keyId, bytes }: Pick<FileRecord, "keyId" | "bytes">,
    quotas: FileQuotas,
  ): Promise<ExceededQuota | undefined> {
    return exceededQuota(kysely, { keyId, bytes, files: 1 }, { quotas, now: this.#now() });
  }
}

/** All but the refusal, which may be long and is read by itself. */
const columns = [
  "id",
  "key_id",
  "owner",
  "purpose",
  "filename",
  "bytes",
  "created_at",
  "expires_at",
  "site",
  "linked_bytes",
] as const;

/** Settings are text. With leading zeros, text sorts as numbers do. */
function sortable(time: number): string {
  return String(Math.max(0, time)).padStart(16, "0");
}

function toRow(file: FileRecord): Tables["files"] {
  const { id, keyId, owner, purpose, filename, bytes, createdAt, expiresAt, site, linkedBytes = 0 } = file;
  const times = { created_at: createdAt, expires_at: expiresAt };
  const stored = { site, linked_bytes: linkedBytes, refusal: null };
  return { id, key_id: keyId, owner: owner ?? null, purpose, filename, bytes, ...times, ...stored };
}

function toRecord(row: Omit<Tables["files"], "refusal">): FileRecord {
  const { id, key_id, owner, purpose, filename, bytes, created_at, expires_at, site, linked_bytes } = row;
  const times = { createdAt: created_at, expiresAt: expires_at };
  const linked = linked_bytes > 0 && { linkedBytes: linked_bytes };
  const known = { ...(owner !== null && { owner }), ...linked };
  return { id, keyId: key_id, ...known, purpose, filename, bytes, ...times, site };
}
