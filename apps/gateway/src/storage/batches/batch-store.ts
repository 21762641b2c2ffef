import { maySee } from "@model-gateway/domain/record-owner";
import { sql, type Transaction } from "kysely";
import type { Batch, BatchPart } from "../../batches/batch.js";
import type {
  BatchBounds,
  BatchFilter,
  BatchPage,
  BatchStore,
  EndedBatch,
  ExceededBound,
  NewBatch,
  SavedPart,
  StopBatch,
  ValidFile,
} from "../../batches/batch-store.js";
import type { ExceededQuota, FileQuotas } from "../../files/file-index.js";
import { isStorable } from "../database/cursor.js";
import type { Database } from "../database/open-database.js";
import { idsOf } from "../database/records-of.js";
import type { Tables } from "../database/schema/tables.js";
import { exceededQuota, filesOfBatch, lockQuotas } from "../files/file-quotas.js";
import { addDeliveries } from "../webhooks/delivery-store.js";
import { LeasedTable } from "../work/leased-table.js";
import { newBatchRow, newPartRow, toBatch, toPart } from "./batch-rows.js";
import { countDone, dropPart, savePart } from "./save-part.js";

interface BatchStoreOptions {
  /** Which batches this process works on. */
  readonly site: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Rows of one insertion. PostgreSQL allows 65,535 parameters. */
const rowsAtOnce = 500;

/** Batches in tables that all replicas share. */
export class DatabaseBatchStore implements BatchStore {
  readonly site: string;
  readonly steps: LeasedTable<Tables["batches"], Batch>;
  readonly parts: LeasedTable<Tables["batch_parts"], BatchPart>;
  readonly #kysely: Database["kysely"];
  readonly #now: () => number;

  constructor(database: Database, { now, site }: BatchStoreOptions) {
    const leased = { sites: [site], now };
    this.steps = new LeasedTable(database, { ...leased, table: "batches", toItem: toBatch });
    this.parts = new LeasedTable(database, { ...leased, table: "batch_parts", toItem: toPart });
    this.#kysely = database.kysely;
    this.#now = now;
    this.site = site;
  }

  async endLeases(): Promise<void> {
    await this.steps.endLeases();
    await this.parts.endLeases();
  }

  create(batch: NewBatch, { quotas, activeMax }: BatchBounds): Promise<Batch | ExceededBound> {
    const row = newBatchRow(batch);
    return this.#kysely.transaction().execute(async (transaction) => {
      await lockQuotas(transaction);
      if ((await countActive(transaction, batch.keyId)) >= activeMax) return "activeMax";
      const wanted = { keyId: batch.keyId, bytes: batch.reservedBytes, files: filesOfBatch };
      const exceeded = await exceededQuota(transaction, wanted, { quotas, now: this.#now() });
      if (exceeded !== undefined) return exceeded;
      await transaction.insertInto("batches").values(row).execute();
      return toBatch(row);
    });
  }

  async find(id: string): Promise<Batch | undefined> {
    if (!isStorable(id)) return undefined;
    const row = await this.#kysely.selectFrom("batches").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toBatch(row);
  }

  async list({ keyId, owner, status }: BatchFilter, { limit, after }: BatchPage) {
    const viewer = keyId === undefined ? "operator" : { keyId, owner };
    const last = after === undefined ? undefined : await this.find(after);
    if (after !== undefined && (last === undefined || !maySee(viewer, last))) return undefined;
    const where = sql<boolean>`${status === undefined ? sql`true` : sql`status = ${status}`} and ${
      last === undefined ? sql`true` : sql`(created_at, id) < (${last.createdAt}, ${last.id})`
    }`;
    const orderBy = sql`created_at desc, id desc`;
    const page = this.#kysely
      .selectFrom("batches")
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1);
    const rows = await (viewer === "operator"
      ? page.where(where)
      : page.where("id", "in", idsOf(viewer, { table: "batches", where, orderBy, limit: limit + 1 }))
    ).execute();
    return { batches: rows.slice(0, limit).map(toBatch), hasMore: rows.length > limit };
  }

  async begin(
    id: string,
    holder: string,
    { model, total, ranges, resultBytes, quotas, now }: ValidFile,
  ): Promise<ExceededQuota | undefined> {
    return this.#kysely.transaction().execute(async (transaction) => {
      await lockQuotas(transaction);
      const batch = await transaction
        .selectFrom("batches")
        .select(["id", "key_id", "site", "created_at"])
        .where("id", "=", id)
        .where("holder", "=", holder)
        .where("outcome", "is", null)
        .executeTakeFirst();
      if (batch === undefined) return undefined;
      const wanted = { keyId: batch.key_id, bytes: resultBytes, files: filesOfBatch, without: id };
      const exceeded = await exceededQuota(transaction, wanted, { quotas, now: this.#now() });
      if (exceeded !== undefined) return exceeded;
      const { numUpdatedRows } = await transaction
        .updateTable("batches")
        .set({ model, total, parts: ranges.length, status: "in_progress", in_progress_at: now })
        .set({ reserved_bytes: resultBytes, planned_bytes: resultBytes })
        .set({ state: "idle", holder: null, attempts: 0 })
        .where("id", "=", id)
        .where("holder", "=", holder)
        .where("outcome", "is", null)
        .executeTakeFirst();
      // It was stopped meanwhile.
      if (numUpdatedRows === 0n) return undefined;
      const rows = ranges.map((range, number) => newPartRow(batch, number, range));
      for (let at = 0; at < rows.length; at += rowsAtOnce)
        await transaction
          .insertInto("batch_parts")
          .values(rows.slice(at, at + rowsAtOnce))
          .execute();
      return undefined;
    });
  }

  exceeded(keyId: string, quotas: FileQuotas): Promise<ExceededQuota | undefined> {
    return exceededQuota(this.#kysely, { keyId, bytes: 1, files: 0 }, { quotas, now: this.#now() });
  }

  async stop(id: string, { outcome, faults, now }: StopBatch): Promise<boolean> {
    return this.#kysely.transaction().execute(async (transaction) => {
      const stopped = await transaction
        .updateTable("batches")
        .set({ outcome })
        .set(faults === undefined ? {} : { faults: JSON.stringify(faults) })
        .set(outcome === "cancelled" ? { status: "cancelling", cancelling_at: now } : finalizing(now))
        .where("id", "=", id)
        .where("outcome", "is", null)
        .returning("id")
        .executeTakeFirst();
      if (stopped === undefined) return false;
      const dropped = await transaction
        .updateTable("batch_parts")
        .set({ state: "done", holder: null })
        .where("batch_id", "=", id)
        .where("state", "in", ["queued", "delayed"])
        .executeTakeFirst();
      await countDone(transaction, id, { done: Number(dropped.numUpdatedRows), now });
      return true;
    });
  }

  async overdue(now: number): Promise<readonly string[]> {
    const rows = await this.#kysely
      .selectFrom("batches")
      .select("id")
      .where("outcome", "is", null)
      .where("expires_at", "<=", now)
      .limit(rowsAtOnce)
      .execute();
    return rows.map(({ id }) => id);
  }

  async planOutput(
    id: string,
    holder: string,
    { outputFileId, errorFileId }: Pick<EndedBatch, "outputFileId" | "errorFileId">,
  ): Promise<void> {
    await this.#kysely
      .updateTable("batches")
      .set({ output_file_id: outputFileId, error_file_id: errorFileId })
      .where("id", "=", id)
      .where("holder", "=", holder)
      .execute();
  }

  async end(
    id: string,
    holder: string,
    { status, outputFileId, errorFileId, counts, now, events, faults }: Parameters<BatchStore["end"]>[2],
  ): Promise<boolean> {
    return this.#kysely.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("batches")
        .set({ status, output_file_id: outputFileId, error_file_id: errorFileId, ended_at: now })
        .set({ completed: counts.completed, failed: counts.failed, state: "done", holder: null })
        .set(faults === undefined ? {} : { faults: JSON.stringify(faults) })
        // Its files count from now on.
        .set({ reserved_bytes: 0 })
        .where("id", "=", id)
        .where("holder", "=", holder)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await transaction.deleteFrom("batch_parts").where("batch_id", "=", id).execute();
      await addDeliveries(transaction, events);
      return true;
    });
  }

  savePart(part: BatchPart, holder: string, saved: SavedPart): Promise<boolean> {
    return savePart(this.#kysely, part, { holder, saved, now: this.#now() });
  }

  dropPart(part: BatchPart, holder: string): Promise<void> {
    return dropPart(this.#kysely, part, { holder, now: this.#now() });
  }

  async listParts(
    batchId: string,
    { from, limit }: { readonly from: number; readonly limit: number },
  ): Promise<BatchPart[]> {
    const rows = await this.#kysely
      .selectFrom("batch_parts")
      .selectAll()
      .where("batch_id", "=", batchId)
      .where("number", ">=", from)
      .orderBy("number")
      .limit(limit)
      .execute();
    return rows.map(toPart);
  }

  async endedBefore(time: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#kysely
      .selectFrom("batches")
      .select("id")
      .where("ended_at", "is not", null)
      .where("ended_at", "<", time)
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  async delete(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#kysely.deleteFrom("batch_costs").where("batch_id", "in", ids).execute();
    await this.#kysely.deleteFrom("batches").where("id", "in", ids).execute();
  }
}

async function countActive(transaction: Transaction<Tables>, keyId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom("batches")
    .select((is) => is.fn.countAll<number>().as("count"))
    .where("key_id", "=", keyId)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A batch whose file is not valid goes from `validating` to `failed`. */
function finalizing(now: number) {
  return {
    status: sql<
      Tables["batches"]["status"]
    >`case when status = 'validating' then status else 'finalizing' end`,
    finalizing_at: sql<number>`case when status = 'validating' then null else cast(${now} as bigint) end`,
  };
}
