import { type Expression, sql, type Transaction } from "kysely";
import type { BatchPart } from "../../batches/batch.js";
import type { SavedPart } from "../../batches/batch-store.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";
import { delayedUntil } from "../work/leased-table.js";

interface PartChange {
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Stores results, and the lines that are left. False if the holder has lost the part. */
export async function savePart(
  kysely: Database["kysely"],
  part: BatchPart,
  { holder, saved, now }: PartChange & { readonly saved: SavedPart },
): Promise<boolean> {
  const { segment, pending, resumeAt } = saved;
  const isDone = pending.length === 0;
  return kysely.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("batch_parts")
      .set({ segments: JSON.stringify(segment ? [...part.segments, segment] : part.segments) })
      .set({ pending: JSON.stringify(pending) })
      .set(isDone ? { state: "done", holder: null } : delayedUntil(resumeAt))
      // A part that gets on may be begun as often again.
      .set(segment === undefined ? {} : { attempts: 0 })
      .where("id", "=", part.id)
      .where("holder", "=", holder)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const { outcome } = await addToBatch(transaction, part.batchId, saved);
    const isDropped = !isDone && outcome !== null;
    if (isDropped)
      await transaction.updateTable("batch_parts").set({ state: "done" }).where("id", "=", part.id).execute();
    if (isDone || isDropped) await countDone(transaction, part.batchId, { done: 1, now });
    return true;
  });
}

function addToBatch(transaction: Transaction<Tables>, id: string, saved: SavedPart) {
  const { completed, failed, tokens, storedBytes, estimatedBytes, linkedBytes } = saved;
  return transaction
    .updateTable("batches")
    .set((is) => ({
      completed: is("completed", "+", completed),
      failed: is("failed", "+", failed),
      input_tokens: is("input_tokens", "+", tokens.input),
      output_tokens: is("output_tokens", "+", tokens.output),
      // The real size replaces the estimate.
      reserved_bytes: noLessThanZero(is("reserved_bytes", "+", storedBytes - estimatedBytes)),
      linked_bytes: is("linked_bytes", "+", linkedBytes),
    }))
    .where("id", "=", id)
    .returning("outcome")
    .executeTakeFirstOrThrow();
}

/** The estimates change with the configuration. */
function noLessThanZero(bytes: Expression<number>) {
  return sql<number>`case when ${bytes} < 0 then 0 else ${bytes} end`;
}

/** The part of a batch that was stopped will not run. */
export async function dropPart(
  kysely: Database["kysely"],
  part: BatchPart,
  { holder, now }: PartChange,
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("batch_parts")
      .set({ state: "done", holder: null })
      .where("id", "=", part.id)
      .where("holder", "=", holder)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await countDone(transaction, part.batchId, { done: 1, now });
  });
}

/**
 * Counts parts that are done. When none is left, the output is written. Its row is locked, so of the last two parts the
 * second one sees both.
 */
export async function countDone(
  transaction: Transaction<Tables>,
  id: string,
  { done, now }: { readonly done: number; readonly now: number },
): Promise<void> {
  const { parts, parts_done, status } = await transaction
    .updateTable("batches")
    .set((is) => ({ parts_done: is("parts_done", "+", done) }))
    .where("id", "=", id)
    .returning(["parts", "parts_done", "status"])
    .executeTakeFirstOrThrow();
  if (parts_done < parts) return;
  await transaction
    .updateTable("batches")
    .set({ state: "queued", holder: null, attempts: 0 })
    .set(status === "in_progress" ? { status: "finalizing", outcome: "completed", finalizing_at: now } : {})
    .where("id", "=", id)
    .execute();
}
