import { hash } from "node:crypto";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { storageUnavailable } from "@model-gateway/domain/errors";
import { isKeyText, type KeyDigest } from "@model-gateway/domain/key-text";
import { SharedPool } from "@model-gateway/runtime/shared-pool";
import { LRUCache } from "lru-cache";
import {
  askStore,
  type KeyStatus,
  type KeyStore,
  keyStatus,
  type StoredKey,
  type TimeoutSignal,
} from "./key-store.js";

/** The key that was presented, or why it is refused. */
export type KeyLookup = AccessKey | KeyRefusal;
export type KeyRefusal = "unknown" | "replaced" | Exclude<KeyStatus, "active">;

/** A configured key, found by its SHA-256 digest. */
export interface ConfiguredKey {
  readonly key: AccessKey;
  readonly sha256: Buffer;
}

interface KeyRingOptions {
  readonly configured: readonly ConfiguredKey[];
  readonly store: Pick<KeyStore, "find" | "findByDigest">;
  readonly digest: KeyDigest;
  readonly timeout: TimeoutSignal;
  /** Called for every use of a stored key. */
  readonly onUse: (id: string, at: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A secret, and the key that it opens. */
interface KnownSecret {
  /** An old secret sees its key expire when the secret does, so that a session does not outlive it. */
  readonly key: StoredKey;
  readonly digest: Buffer;
  /** When the secret stops working; 0 if it has. Absent for the current secret of the key. */
  readonly endsAt?: number;
}

/** The network of the client that presents a secret. It is asked only where the store must be. */
export type NetworkOf = () => string;

/** Of a request whose client is not known. */
export const noNetwork: NetworkOf = () => "";

interface SecretLookup {
  readonly presented: string;
  readonly fingerprint: string;
  readonly network: string;
}

const knownMax = 10_000;
/** Number of key texts kept with their digest, so that they need no hash. */
const recentMax = 1000;
/** Number of keys kept that were looked up by id. */
const byIdMax = 1000;
const unknownMax = 10_000;
/** Short, because another gateway may create the key at this moment. */
const unknownTtlMs = 2000;
/** Concurrent lookups. More can only be guesses. Each network has a share, so that guesses of one stop no other. */
const lookupsMax = 256;
const lookupAttemptsMax = 5;

/**
 * Finds keys by their text. A key is looked up in the store once and then kept in memory, by a digest of its text;
 * `apply` keeps it current. Known keys work while the database is unavailable.
 */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #configured: ReadonlyMap<string, AccessKey> = new Map();
  readonly #known: LRUCache<string, KnownSecret>;
  /** The fingerprints of each key's known secrets, by the key's id. */
  readonly #fingerprints = new Map<string, Set<string>>();
  /** Fingerprints of valid key texts. Hashing takes longer than everything else in `find`. */
  readonly #recent = new Map<string, string>();
  readonly #unknown = new LRUCache<string, true>({ max: unknownMax, ttl: unknownTtlMs });
  readonly #lookups = new Map<string, Promise<KeyLookup>>();
  readonly #places = new SharedPool(lookupsMax);
  /** Keys that were looked up by id. */
  readonly #byId = new LRUCache<string, StoredKey>({ max: byIdMax });
  #generation = 0;

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.configure(options.configured);
    this.#known = new LRUCache({
      max: knownMax,
      dispose: ({ key: { id } }, fingerprint, reason) => {
        if (reason === "set") return;
        const fingerprints = this.#fingerprints.get(id);
        fingerprints?.delete(fingerprint);
        if (fingerprints?.size === 0) this.#fingerprints.delete(id);
      },
    });
  }

  /** Rejects if the lookup needs the store and it is unavailable, or has lookups of this network enough. */
  async find(presented: string, networkOf: NetworkOf = noNetwork): Promise<KeyLookup> {
    const recent = this.#recent.get(presented);
    const fingerprint = recent ?? hash("sha256", presented, "base64");
    const configured = this.#configured.get(fingerprint);
    const known = configured === undefined ? this.#known.get(fingerprint) : undefined;
    if (recent === undefined && (configured ?? known) !== undefined) this.#remember(presented, fingerprint);
    if (configured !== undefined) return checkStatus(configured, this.#options.now());
    if (known !== undefined) return this.#useSecret(known);
    if (!isKeyText(presented, "mg_") || this.#unknown.has(fingerprint)) return "unknown";
    return this.#lookups.get(fingerprint) ?? this.#lookUp({ presented, fingerprint, network: networkOf() });
  }

  /** The same for a key whose secret was presented before: a session names its key by its id. */
  async findById(id: string): Promise<KeyLookup> {
    const { store, timeout, now } = this.#options;
    for (const key of this.#configured.values()) if (key.id === id) return checkStatus(key, now());
    const known = this.#byId.get(id);
    if (known !== undefined) return this.#use(known);
    const generation = this.#generation;
    const key = await askStore(store.find(id), timeout);
    if (key === undefined) return "unknown";
    // A key that changed during the lookup is not kept.
    if (generation === this.#generation) this.#byId.set(id, key);
    return this.#use(key);
  }

  /** Replaces the configured keys. */
  configure(configured: readonly ConfiguredKey[]): void {
    this.#configured = new Map(configured.map(({ key, sha256 }) => [sha256.toString("base64"), key]));
  }

  /** Applies keys that were created, changed or revoked. */
  apply(changed: readonly StoredKey[]): void {
    if (changed.length === 0) return;
    this.#generation += 1;
    for (const key of changed) {
      for (const fingerprint of this.#fingerprints.get(key.id) ?? []) {
        const known = this.#known.peek(fingerprint);
        if (known !== undefined) this.#known.set(fingerprint, seenBy(known.digest, key));
      }
      if (this.#byId.has(key.id)) this.#byId.set(key.id, key);
    }
    // One of the changed keys may be new.
    this.#unknown.clear();
  }

  /** Only valid keys are remembered, so guesses cannot push them out. */
  #remember(presented: string, fingerprint: string): void {
    if (this.#recent.size >= recentMax) this.#recent.clear();
    this.#recent.set(presented, fingerprint);
  }

  #use(key: StoredKey): KeyLookup {
    const now = this.#options.now();
    const verdict = checkStatus(key, now);
    if (typeof verdict !== "string") this.#options.onUse(key.id, now);
    return verdict;
  }

  #useSecret({ key, endsAt }: KnownSecret): KeyLookup {
    const verdict = this.#use(key);
    const isReplaced = verdict === "expired" && endsAt !== undefined && endsAt <= this.#options.now();
    return isReplaced ? "replaced" : verdict;
  }

  #lookUp({ presented, fingerprint, network }: SecretLookup): Promise<KeyLookup> {
    if (!this.#places.take(network, 1))
      return Promise.reject(storageUnavailable(new Error("Too many concurrent key lookups.")));
    const lookup = this.#ask(presented, fingerprint).finally(() => {
      this.#lookups.delete(fingerprint);
      this.#places.giveBack(network, 1);
    });
    this.#lookups.set(fingerprint, lookup);
    return lookup;
  }

  async #ask(presented: string, fingerprint: string): Promise<KeyLookup> {
    const { store, timeout } = this.#options;
    const digest = this.#options.digest(presented);
    for (let attempt = 0; attempt < lookupAttemptsMax; attempt += 1) {
      const generation = this.#generation;
      const key = await askStore(store.findByDigest(digest), timeout);
      // A change arrived during the lookup, so the key that was read may be older than the change.
      if (generation !== this.#generation) continue;
      if (key === undefined) {
        this.#unknown.set(fingerprint, true);
        return "unknown";
      }
      const known = seenBy(digest, key);
      this.#known.set(fingerprint, known);
      const fingerprints = this.#fingerprints.get(key.id) ?? new Set<string>();
      this.#fingerprints.set(key.id, fingerprints.add(fingerprint));
      return this.#useSecret(known);
    }
    throw storageUnavailable(new Error(`Keys changed during each of ${lookupAttemptsMax} lookups.`));
  }
}

/** A key, as one of its secrets opens it. */
function seenBy(digest: Buffer, key: StoredKey): KnownSecret {
  if (key.digest.equals(digest)) return { key, digest };
  const endsAt = key.oldSecrets?.find((secret) => secret.digest.equals(digest))?.expiresAt ?? 0;
  return { key: { ...key, expiresAt: Math.min(endsAt, key.expiresAt ?? endsAt) }, digest, endsAt };
}

function checkStatus(key: AccessKey & Pick<StoredKey, "revokedAt">, now: number): KeyLookup {
  const status = keyStatus(key, now);
  return status === "active" ? key : status;
}
