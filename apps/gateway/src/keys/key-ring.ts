import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { AccessKey } from "../domain/access-key.js";
import { storageUnavailable } from "../errors.js";
import {
  askStore,
  type KeyStatus,
  type KeyStore,
  keyStatus,
  type StoredKey,
  type TimeoutSignal,
} from "./key-store.js";
import { isKeyText, type KeyDigest } from "./key-text.js";

/** The key that was presented, or why it opens nothing. */
export type KeyVerdict = AccessKey | KeyRefusal;
export type KeyRefusal = "unknown" | Exclude<KeyStatus, "active">;

/** A key of the configuration file, and the SHA-256 digest by which it is known again. */
export interface ConfiguredKey {
  readonly key: AccessKey;
  readonly sha256: Buffer;
}

export interface KeyRingNeeds {
  readonly configured: readonly ConfiguredKey[];
  readonly store: Pick<KeyStore, "findByDigest">;
  readonly digest: KeyDigest;
  readonly patience: TimeoutSignal;
  /** Told of every use of a stored key. */
  readonly onUse: (id: string, at: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const knownMax = 10_000;
/** How many texts are known again without a hash. */
const recentMax = 1000;
const strangersMax = 10_000;
/** A stranger may be a key that another gateway makes in this moment. */
const strangersMs = 2000;
/** How many keys may be looked for at once; more could only be guesses. */
const lookupsMax = 256;
const triesMax = 5;

/**
 * Knows keys again. What was looked up once is kept in memory, by a digest of what was presented; `apply` keeps it true.
 * A database that is away does not matter to keys that are known.
 */
export class KeyRing {
  readonly #needs: KeyRingNeeds;
  #configured: ReadonlyMap<string, AccessKey> = new Map();
  readonly #known: LRUCache<string, StoredKey>;
  readonly #fingerprints = new Map<string, string>();
  /** The digests of texts that were keys: making one takes longer than everything else that is done here. */
  readonly #recent = new Map<string, string>();
  readonly #strangers = new LRUCache<string, true>({ max: strangersMax, ttl: strangersMs });
  readonly #lookups = new Map<string, Promise<KeyVerdict>>();
  #generation = 0;

  constructor(needs: KeyRingNeeds) {
    this.#needs = needs;
    this.configure(needs.configured);
    this.#known = new LRUCache({
      max: knownMax,
      dispose: ({ id }, _fingerprint, reason) => {
        if (reason !== "set") this.#fingerprints.delete(id);
      },
    });
  }

  /** Answers at once where the key is known, or can be none. Rejects where only the store could tell and it is away. */
  find(presented: string): KeyVerdict | Promise<KeyVerdict> {
    const recent = this.#recent.get(presented);
    const fingerprint = recent ?? hash("sha256", presented, "base64");
    const configured = this.#configured.get(fingerprint);
    const known = configured === undefined ? this.#known.get(fingerprint) : undefined;
    if (recent === undefined && (configured ?? known) !== undefined) this.#remember(presented, fingerprint);
    if (configured !== undefined) return judge(configured, this.#needs.now());
    if (known !== undefined) return this.#use(known);
    if (!isKeyText(presented, "mg_") || this.#strangers.has(fingerprint)) return "unknown";
    return this.#lookups.get(fingerprint) ?? this.#lookUp(presented, fingerprint);
  }

  /** Takes over the keys of a configuration, in place of those before. */
  configure(configured: readonly ConfiguredKey[]): void {
    this.#configured = new Map(configured.map(({ key, sha256 }) => [sha256.toString("base64"), key]));
  }

  /** Takes over keys that were made, changed or revoked. */
  apply(changed: readonly StoredKey[]): void {
    if (changed.length === 0) return;
    this.#generation += 1;
    for (const key of changed) {
      const fingerprint = this.#fingerprints.get(key.id);
      if (fingerprint !== undefined) this.#known.set(fingerprint, key);
    }
    // One of them may be new.
    this.#strangers.clear();
  }

  /** Whoever guesses never gets in here, and cannot push out those who are. */
  #remember(presented: string, fingerprint: string): void {
    if (this.#recent.size >= recentMax) this.#recent.clear();
    this.#recent.set(presented, fingerprint);
  }

  #use(key: StoredKey): KeyVerdict {
    const now = this.#needs.now();
    const verdict = judge(key, now);
    if (typeof verdict !== "string") this.#needs.onUse(key.id, now);
    return verdict;
  }

  #lookUp(presented: string, fingerprint: string): Promise<KeyVerdict> {
    if (this.#lookups.size >= lookupsMax)
      return Promise.reject(storageUnavailable(new Error("Too many keys are looked for at once.")));
    const lookup = this.#ask(presented, fingerprint).finally(() => this.#lookups.delete(fingerprint));
    this.#lookups.set(fingerprint, lookup);
    return lookup;
  }

  async #ask(presented: string, fingerprint: string): Promise<KeyVerdict> {
    const { store, digest, patience } = this.#needs;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const generation = this.#generation;
      const key = await askStore(store.findByDigest(digest(presented)), patience);
      // What was read before a change came in may be older than the change.
      if (generation !== this.#generation) continue;
      if (key === undefined) {
        this.#strangers.set(fingerprint, true);
        return "unknown";
      }
      this.#known.set(fingerprint, key);
      this.#fingerprints.set(key.id, fingerprint);
      return this.#use(key);
    }
    throw storageUnavailable(new Error("Keys change faster than one can be read."));
  }
}

function judge(key: AccessKey & Pick<StoredKey, "revokedAt">, now: number): KeyVerdict {
  const status = keyStatus(key, now);
  return status === "active" ? key : status;
}
