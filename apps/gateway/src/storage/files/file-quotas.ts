import { shareLeft } from "@model-gateway/runtime/shared-pool";
import { sql, type Transaction } from "kysely";
import type { ExceededQuota, FileQuotas } from "../../files/file-index.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";

/** The space that a key is about to take. */
interface WantedSpace {
  readonly keyId: string;
  readonly bytes: number;
  readonly files: number;
  /** A batch whose reservation is replaced. */
  readonly without?: string;
}

/** Files that a batch may write: the output and the errors. */
export const filesOfBatch = 2;

/** Makes replicas take turns until the end of the transaction, so that each sees what the previous one has stored. */
export async function lockQuotas(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .updateTable("revisions")
    .set((is) => ({ value: is("value", "+", 1) }))
    .where("name", "=", "files")
    .execute();
}

/**
 * The quota that a key would exceed. Files count with the images behind their links, and a batch that has not ended with
 * what its results may take. Of the store, each key has its share.
 */
export async function exceededQuota(
  kysely: Database["kysely"] | Transaction<Tables>,
  { keyId, bytes, files, without = "" }: WantedSpace,
  { quotas, now }: { readonly quotas: FileQuotas; readonly now: number },
): Promise<ExceededQuota | undefined> {
  const { rows } = await sql<{ all: number; own: number; files: number }>`
    select cast(coalesce(sum(bytes), 0) as bigint) as "all",
      cast(coalesce(sum(case when key_id = ${keyId} then bytes end), 0) as bigint) as own,
      cast(coalesce(sum(case when key_id = ${keyId} then files end), 0) as bigint) as files
    from (
      select key_id, bytes + linked_bytes as bytes, 1 as files from files where expires_at > ${now}
      union all
      select key_id, reserved_bytes as bytes, ${sql.lit(filesOfBatch)} as files from batches
      where ended_at is null and id <> ${without}
    ) as stored`.execute(kysely);
  const stored = rows[0] ?? { all: 0, own: 0, files: 0 };
  if (stored.files + files > quotas.keyFilesMax) return "keyFilesMax";
  if (stored.own + bytes > quotas.keyBytesMax) return "keyBytesMax";
  const left = shareLeft({ max: quotas.storeBytesMax, used: stored.all, held: stored.own });
  return bytes > left ? "storeBytesMax" : undefined;
}
