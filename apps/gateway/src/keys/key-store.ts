import { setImmediate } from "node:timers/promises";
import type { AccessKey, Budget, Priority } from "@model-gateway/domain/access-key";
import { storageUnavailable } from "@model-gateway/domain/errors";
import type { Page, PageRequest } from "@model-gateway/domain/page";
import { unlessAborted } from "@model-gateway/runtime/abort";

/** A key as it is stored: its digest instead of its text, and the last letters, by which people recognise it. */
export interface StoredKey extends AccessKey {
  /** The keyed SHA-256 digest of the key. */
  readonly digest: Buffer;
  readonly lastFour: string;
  /** Secrets that a rotation has replaced, newest first. Absent if there are none. */
  readonly oldSecrets?: readonly OldSecret[];
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

/** A replaced secret. It works until it expires. */
export interface OldSecret extends Pick<StoredKey, "digest" | "lastFour"> {
  readonly expiresAt: number;
}

export type NewKey = Omit<StoredKey, "id" | "oldSecrets" | "createdAt" | "revokedAt" | "lastUsedAt">;

/** A new secret, and the time for which the earlier ones still work. */
export interface Rotation extends Pick<StoredKey, "digest" | "lastFour"> {
  readonly overlapMs: number;
}

/** The number of earlier secrets of a key that may work. */
export const oldSecretsMax = 4;

/** null removes a restriction, undefined leaves it unchanged. */
export interface KeyChanges {
  readonly name?: string;
  readonly owner?: string | null;
  readonly models?: readonly string[] | null;
  readonly limits?: AccessKey["limits"];
  readonly budget?: Budget | null;
  readonly priority?: Priority;
  readonly expiresAt?: number | null;
  readonly isDisabled?: boolean;
}

/** A configured key, and when it was last used. */
interface FileKey extends AccessKey, Pick<StoredKey, "lastUsedAt"> {
  readonly revokedAt?: never;
}

/** A key of the list, and where it is defined. */
export type ListedKey =
  | { readonly source: "database"; readonly key: StoredKey }
  | { readonly source: "file"; readonly key: FileKey };

export type KeySort = "createdAt" | "name" | "lastUsedAt" | "spent";

/** Selects and sorts keys. */
export interface KeyQuery extends PageRequest {
  /** A part of the name, the owner or the last four letters. The case of A to Z does not matter. */
  readonly search?: string;
  readonly status?: KeyStatus;
  readonly sort: KeySort;
  readonly order: "asc" | "desc";
  /** The configured keys. They are listed among the others. */
  readonly fileKeys: readonly AccessKey[];
  /** The start of a UTC day: the sort by `spent` counts from there on. */
  readonly spentSince: number;
}

/** One page of keys. */
export interface KeyPage extends Page<ListedKey> {
  /** The number of keys that match, on all pages. */
  readonly total: number;
}

/** The words that people know a key by. */
export interface KeyLabel {
  readonly name: string;
  readonly owner: string | null;
}

/** Stores keys. */
export interface KeyStore {
  create(key: NewKey): Promise<StoredKey>;
  /** Revoked keys stay listed, so that their usage has a name. */
  list(query: KeyQuery): Promise<KeyPage>;
  find(id: string): Promise<StoredKey | undefined>;
  findByDigest(digest: Buffer): Promise<StoredKey | undefined>;
  /** The names and owners of keys, by id. Ids of no stored key are absent. */
  findLabels(ids: readonly string[]): Promise<ReadonlyMap<string, KeyLabel>>;
  /** Undefined if there is no such key. A revoked key does not change. */
  change(id: string, changes: KeyChanges): Promise<StoredKey | undefined>;
  /**
   * Replaces the secret, and limits the sessions that were created with earlier ones. Undefined if there is no such key. A
   * revoked key does not change. Rejects with `too_many_secrets` beyond `oldSecretsMax`.
   */
  rotate(id: string, rotation: Rotation): Promise<StoredKey | undefined>;
  /** Permanent. Undefined if there is no such key; revoking twice changes nothing. */
  revoke(id: string): Promise<StoredKey | undefined>;
  /** Stores the latest use of each key; an older time changes nothing. */
  touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void>;
  /** The revision of the latest change. */
  latestRevision(): Promise<number>;
  /** The first page of keys created, changed or revoked after a revision, and its last revision. */
  changesSince(revision: number): Promise<{ readonly revision: number; readonly keys: readonly StoredKey[] }>;
}

/** The earlier secrets that still work at a time. */
export function validSecrets({ oldSecrets = [] }: Pick<StoredKey, "oldSecrets">, now: number): OldSecret[] {
  return oldSecrets.filter(({ expiresAt }) => expiresAt > now);
}

/** Whether a key works, and why not. */
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

/** Values that all replicas agree on once, such as a shared secret. */
export interface Settings {
  /** Returns the stored value, or creates it. If several replicas create it at once, all get the same value. */
  getOrCreate(name: string, create: () => string): Promise<SettledValue>;
}

interface SettledValue {
  readonly value: string;
  /** Whether this call created it. */
  readonly isNew: boolean;
}

/** Creates a signal that aborts when a call to the store takes too long. */
export type TimeoutSignal = () => AbortSignal;

/** Waits for the store's reply. A timeout counts as an unavailable store. */
export async function askStore<T>(reply: Promise<T>, timeout: TimeoutSignal): Promise<T> {
  const signal = timeout();
  try {
    return await unlessAborted(reply, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    // After a busy moment of this process, a reply that has arrived is read before the timeout counts.
    await setImmediate();
    await setImmediate();
    return await Promise.race([reply, Promise.reject(storageUnavailable(cause))]);
  }
}
