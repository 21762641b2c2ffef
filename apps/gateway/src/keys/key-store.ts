import type { AccessKey, Budget } from "../domain/access-key.js";
import type { Page, PageRequest } from "../domain/page.js";

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
