import type { AccessKey } from "@model-gateway/domain/access-key";
import { errorOf } from "@model-gateway/domain/errors";
import { newId } from "@model-gateway/runtime/new-id";
import { sql, type Transaction } from "kysely";
import {
  type KeyChanges,
  type KeyLabel,
  type KeyPage,
  type KeyQuery,
  type KeyStore,
  type ListedKey,
  type NewKey,
  oldSecretsMax,
  type Rotation,
  type StoredKey,
} from "../../keys/key-store.js";
import { isStorable } from "../database/cursor.js";
import { integer, text } from "../database/define-table.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { jsonRows } from "../ledger/rows-json.js";
import { type KeyEntry, listKeysStatement, writeKeyCursor } from "./list-keys.js";
import { indexSecrets, limitSessions, readSecrets, replaceSecret, writeSecrets } from "./old-secrets.js";

interface KeyStoreOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Maximum number of changes that `changesSince` returns. Overridden in tests. */
  readonly changesMax?: number;
}

/** A use that is newer by less is not written: of all replicas that serve a key, one writes it in this time. */
const newerByMs = 30_000;

export class DatabaseKeyStore implements KeyStore {
  readonly #database: Database;
  readonly #kysely: Database["kysely"];
  readonly #now: () => number;
  readonly #changesMax: number;

  constructor(database: Database, { now, changesMax = 1000 }: KeyStoreOptions) {
    this.#database = database;
    this.#kysely = database.kysely;
    this.#now = now;
    this.#changesMax = changesMax;
  }

  async create(key: NewKey): Promise<StoredKey> {
    const id = newId("key_");
    const columns = { id, created_at: this.#now(), ...columnsOf(key) };
    const row = await this.#kysely.transaction().execute(async (transaction) =>
      transaction
        .insertInto("access_keys")
        .values({ ...columns, revision: await nextRevision(transaction) })
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
    return toKey(row);
  }

  async list(query: KeyQuery): Promise<KeyPage> {
    const { limit, fileKeys, search = "" } = query;
    storable(search, "search");
    const { rows } = await listKeysStatement(this.#database, query, this.#now()).execute(this.#kysely);
    const entries = rows.slice(0, limit);
    const ids = entries.flatMap(({ id, source }) => (source === "database" ? [id] : []));
    const stored = ids.length === 0 ? [] : await this.#select().where("id", "in", ids).execute();
    const keys = new Map(stored.map((row) => [row.id, toKey(row)]));
    const inFile = new Map(fileKeys.map((key) => [key.id, key]));
    const last = rows.length > limit ? entries.at(-1) : undefined;
    return {
      items: entries.flatMap((entry) => listed(entry, keys, inFile)),
      total: rows[0]?.total ?? 0,
      ...(last && { nextCursor: writeKeyCursor(query, last) }),
    };
  }

  async find(id: string): Promise<StoredKey | undefined> {
    if (!isStorable(id)) return undefined;
    const row = await this.#select().where("id", "=", id).executeTakeFirst();
    return row && toKey(row);
  }

  async findLabels(ids: readonly string[]): Promise<ReadonlyMap<string, KeyLabel>> {
    const rows = await this.#kysely
      .selectFrom("access_keys")
      .select(["id", "name", "owner"])
      .where("id", "in", ids)
      .execute();
    return new Map(rows.map(({ id, ...label }) => [id, label]));
  }

  async findByDigest(digest: Buffer): Promise<StoredKey | undefined> {
    const current = await this.#select().where("digest", "=", digest).executeTakeFirst();
    if (current !== undefined) return toKey(current);
    const row = await this.#select()
      .where("id", "=", (is) => is.selectFrom("old_secrets").select("key_id").where("digest", "=", digest))
      .executeTakeFirst();
    return row && toKey(row);
  }

  async change(id: string, changes: KeyChanges): Promise<StoredKey | undefined> {
    return this.#update(id, changedColumns(changes));
  }

  async rotate(id: string, rotation: Rotation): Promise<StoredKey | undefined> {
    if (!isStorable(id)) return undefined;
    return this.#kysely.transaction().execute(async (transaction) => {
      // First, because its lock lets no other change of the key in between.
      const revision = await nextRevision(transaction);
      const table = transaction.selectFrom("access_keys").selectAll().where("id", "=", id);
      const before = await table.executeTakeFirst();
      if (before === undefined || before.revoked_at !== null) return before && toKey(before);
      const { digest, lastFour, overlapMs } = rotation;
      const oldSecrets = replaceSecret(toKey(before), overlapMs, this.#now());
      if (oldSecrets.length > oldSecretsMax)
        throw errorOf("too_many_secrets", { key: id, count: String(oldSecretsMax) }, { param: "key" });
      await indexSecrets(transaction, id, oldSecrets);
      await limitSessions(transaction, id, oldSecrets);
      const changed = await transaction
        .updateTable("access_keys")
        .set({ digest, last_four: lastFour, old_secrets: writeSecrets(oldSecrets), revision })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toKey(changed);
    });
  }

  revoke(id: string): Promise<StoredKey | undefined> {
    return this.#update(id, { revoked_at: this.#now() });
  }

  async touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void> {
    if (lastUsedAt.size === 0) return;
    const { kind } = this.#database;
    const rows = [...lastUsedAt].map(([id, at]) => ({ id, at })).filter(({ id }) => isStorable(id));
    const given = jsonRows<{ id: string; at: number }>(kind, rows, { id: text(), at: integer() });
    // All replicas lock rows in the same order, so they cannot deadlock.
    const locked = kind === "postgres" ? sql`order by access_keys.id for update of access_keys` : sql``;
    await sql`update access_keys set last_used_at = latest.at from (
        select access_keys.id as id, given.at as at from access_keys, ${given}
        where access_keys.id = given.id
          and (access_keys.last_used_at is null or access_keys.last_used_at <= given.at - ${sql.lit(newerByMs)}) ${locked}
      ) as latest where access_keys.id = latest.id`.execute(this.#kysely);
  }

  async latestRevision(): Promise<number> {
    const row = await this.#database.lookups
      .selectFrom("revisions")
      .select("value")
      .where("name", "=", "access_keys")
      .executeTakeFirstOrThrow();
    return row.value;
  }

  async changesSince(revision: number) {
    const rows = await this.#select()
      .where("revision", ">", revision)
      .orderBy("revision")
      .limit(this.#changesMax)
      .execute();
    return { revision: rows.at(-1)?.revision ?? revision, keys: rows.map(toKey) };
  }

  #select() {
    return this.#database.lookups.selectFrom("access_keys").selectAll();
  }

  /** Returns undefined for an unknown key. A revoked key is returned unchanged. */
  async #update(id: string, columns: Partial<Tables["access_keys"]>): Promise<StoredKey | undefined> {
    if (!isStorable(id)) return undefined;
    const changed = await this.#kysely.transaction().execute(async (transaction) =>
      transaction
        .updateTable("access_keys")
        .set({ ...columns, revision: await nextRevision(transaction) })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returningAll()
        .executeTakeFirst(),
    );
    return changed === undefined ? this.find(id) : toKey(changed);
  }
}

/** The key of an entry. None if it was deleted by hand between the two queries. */
function listed(
  { id, source, last_used_at: lastUsedAt }: KeyEntry,
  stored: ReadonlyMap<string, StoredKey>,
  inFile: ReadonlyMap<string, AccessKey>,
): ListedKey[] {
  if (source === "database") {
    const key = stored.get(id);
    return key === undefined ? [] : [{ source, key }];
  }
  const key = inFile.get(id);
  return key === undefined ? [] : [{ source, key: { ...key, ...(lastUsedAt !== null && { lastUsedAt }) } }];
}

/**
 * The row of the counter stays locked until the transaction ends, so revisions are committed in order: a reader that sees
 * one has seen all before it. A sequence would not work, since a lower number may be committed later.
 */
async function nextRevision(transaction: Transaction<Tables>): Promise<number> {
  const { value } = await transaction
    .updateTable("revisions")
    .set((is) => ({ value: is("value", "+", 1) }))
    .where("name", "=", "access_keys")
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}

function columnsOf(key: NewKey): Omit<Tables["access_keys"], "id" | "revision" | "created_at"> {
  return {
    digest: key.digest,
    last_four: key.lastFour,
    old_secrets: null,
    name: storable(key.name, "name"),
    owner: key.owner === undefined ? null : storable(key.owner, "owner"),
    models: key.models === undefined ? null : JSON.stringify(key.models),
    limits: JSON.stringify(key.limits),
    budget: key.budget === undefined ? null : JSON.stringify(key.budget),
    priority: key.priority ?? "interactive",
    expires_at: key.expiresAt ?? null,
    is_disabled: Number(key.isDisabled),
    revoked_at: null,
    last_used_at: null,
  };
}

function changedColumns(changes: KeyChanges) {
  const { name, owner, models, limits, budget, priority, expiresAt, isDisabled } = changes;
  return {
    ...(name !== undefined && { name: storable(name, "name") }),
    ...(owner !== undefined && { owner: owner === null ? null : storable(owner, "owner") }),
    ...(models !== undefined && { models: models === null ? null : JSON.stringify(models) }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    ...(budget !== undefined && { budget: budget === null ? null : JSON.stringify(budget) }),
    ...(priority !== undefined && { priority }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(isDisabled !== undefined && { is_disabled: Number(isDisabled) }),
  };
}

function storable(text: string, param: string): string {
  if (isStorable(text)) return text;
  throw errorOf("invalid_value", { param, reason: "it contains a character that cannot be stored" });
}

function toKey(row: Tables["access_keys"]): StoredKey {
  return {
    id: row.id,
    name: row.name,
    ...(row.owner !== null && { owner: row.owner }),
    ...(row.models !== null && { models: parse<readonly string[]>(row.models) }),
    limits: parse<AccessKey["limits"]>(row.limits),
    ...(row.budget !== null && { budget: parse<NonNullable<AccessKey["budget"]>>(row.budget) }),
    ...(row.priority === "bulk" && { priority: row.priority }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    isDisabled: row.is_disabled === 1,
    digest: row.digest,
    lastFour: row.last_four,
    ...(row.old_secrets !== null && { oldSecrets: readSecrets(row.old_secrets) }),
    createdAt: row.created_at,
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
  };
}

/** Only this file writes the JSON columns. */
function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}
