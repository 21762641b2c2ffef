import type { Transaction } from "kysely";
import type { OldSecret, StoredKey } from "../../keys/key-store.js";
import { validSecrets } from "../../keys/key-store.js";
import type { Tables } from "../database/schema/tables.js";

/** The earlier secrets after a rotation, newest first. None works longer than the overlap. */
export function replaceSecret(key: StoredKey, overlapMs: number, now: number): readonly OldSecret[] {
  // Not kept with a time of now: the clock of another replica may be behind.
  if (overlapMs === 0) return [];
  const endsAt = now + overlapMs;
  const { digest, lastFour } = key;
  const earlier = validSecrets(key, now).map((secret) => ({
    ...secret,
    expiresAt: Math.min(secret.expiresAt, endsAt),
  }));
  return [{ digest, lastFour, expiresAt: endsAt }, ...earlier];
}

/** Replaces the rows by which earlier secrets are found. */
export async function indexSecrets(
  transaction: Transaction<Tables>,
  keyId: string,
  secrets: readonly OldSecret[],
): Promise<void> {
  await transaction.deleteFrom("old_secrets").where("key_id", "=", keyId).execute();
  if (secrets.length === 0) return;
  const rows = secrets.map(({ digest }) => ({ digest, key_id: keyId }));
  await transaction.insertInto("old_secrets").values(rows).execute();
}

/** Sessions of the key so far were created with earlier secrets, so they end when the last of those does. */
export async function limitSessions(
  transaction: Transaction<Tables>,
  keyId: string,
  [newest]: readonly OldSecret[],
): Promise<void> {
  if (newest === undefined) {
    await transaction.deleteFrom("sessions").where("granted_by", "=", keyId).execute();
    return;
  }
  const { expiresAt } = newest;
  await transaction
    .updateTable("sessions")
    .set({ expires_at: expiresAt })
    .where("granted_by", "=", keyId)
    .where("expires_at", ">", expiresAt)
    .execute();
}

/** The JSON column of a key. Null if there are none. */
export function writeSecrets(secrets: readonly OldSecret[]): string | null {
  if (secrets.length === 0) return null;
  return JSON.stringify(
    secrets.map(({ digest, ...secret }) => ({ ...secret, digest: digest.toString("hex") })),
  );
}

/** Reads what `writeSecrets` has written. */
export function readSecrets(json: string): readonly OldSecret[] {
  const written = JSON.parse(json) as readonly (Omit<OldSecret, "digest"> & { readonly digest: string })[];
  return written.map(({ digest, ...secret }) => ({ ...secret, digest: Buffer.from(digest, "hex") }));
}
