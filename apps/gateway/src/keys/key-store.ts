import type { AccessKey, Budget } from "../domain/access-key.js";
import type { Page, PageRequest } from "../domain/page.js";
import { storageUnavailable } from "../errors.js";
import { unlessAborted } from "../runtime/abort.js";

/** A key as it is stored: with its digest, and the letters by which people know it again. */
export interface StoredKey extends AccessKey {
  /** The keyed SHA-256 digest of the key. */
  readonly digest: Buffer;
  readonly lastFour: string;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

export type NewKey = Omit<StoredKey, "id" | "createdAt" | "revokedAt" | "lastUsedAt">;

/** What may be changed; null takes a restriction away, undefined leaves it as it is. */
export interface KeyChanges {
  readonly name?: string;
  readonly owner?: string | null;
  readonly models?: readonly string[] | null;
  readonly limits?: AccessKey["limits"];
  readonly budget?: Budget | null;
  readonly expiresAt?: number | null;
  readonly isDisabled?: boolean;
}

/** Where keys are kept. */
export interface KeyStore {
  create(key: NewKey): Promise<StoredKey>;
  /** Newest first. Revoked keys stay in the list, so that what they used can be named. */
  list(page: PageRequest): Promise<Page<StoredKey>>;
  find(id: string): Promise<StoredKey | undefined>;
  findByDigest(digest: Buffer): Promise<StoredKey | undefined>;
  /** Undefined where there is no such key. A revoked key stays as it is. */
  change(id: string, changes: KeyChanges): Promise<StoredKey | undefined>;
  /** For good. Undefined where there is no such key; a second time changes nothing. */
  revoke(id: string): Promise<StoredKey | undefined>;
  /** Keeps the latest of each; a time that is older than what is kept changes nothing. */
  touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void>;
  /** The revision that all that has happened until now has led to. */
  latestRevision(): Promise<number>;
  /** The keys that were made, changed or revoked after a revision, or the first of them, and the revision that is reached with them. */
  changesSince(revision: number): Promise<{ readonly revision: number; readonly keys: readonly StoredKey[] }>;
}

/** Whether a key works, and if not, why. */
export type KeyStatus = "active" | "disabled" | "expired" | "revoked";

/** @param now Milliseconds since 1970. */
export function keyStatus(
  { isDisabled, expiresAt, revokedAt }: Pick<StoredKey, "isDisabled" | "expiresAt" | "revokedAt">,
  now: number,
): KeyStatus {
  if (revokedAt !== undefined) return "revoked";
  if (expiresAt !== undefined && now >= expiresAt) return "expired";
  return isDisabled ? "disabled" : "active";
}

/** What replicas agree on once and for all, such as a secret that they share. */
export interface Settings {
  /** The value under a name. Where there is none it is made, and of several who do so at once one wins for all. */
  settleOnce(name: string, make: () => string): Promise<SettledValue>;
}

export interface SettledValue {
  readonly value: string;
  /** Whether it was made by this very call. */
  readonly isNew: boolean;
}

/** A signal that aborts when the store has had long enough. */
export type TimeoutSignal = () => AbortSignal;

/** Waits for the store while there is patience; what takes longer is as good as a store that cannot be reached. */
export async function askStore<T>(answer: Promise<T>, patience: TimeoutSignal): Promise<T> {
  const signal = patience();
  try {
    return await unlessAborted(answer, signal);
  } catch (cause) {
    throw signal.aborted ? storageUnavailable(cause) : cause;
  }
}
