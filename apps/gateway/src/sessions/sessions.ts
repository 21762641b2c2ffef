import { hash } from "node:crypto";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError, storageUnavailable } from "@model-gateway/domain/errors";
import { internalKeys } from "@model-gateway/domain/internal-keys";
import { createKeyText, isKeyText, type KeyDigest } from "@model-gateway/domain/key-text";
import type { Operator } from "@model-gateway/domain/operator";
import { newId } from "@model-gateway/runtime/new-id";
import { SharedPool } from "@model-gateway/runtime/shared-pool";
import { LRUCache } from "lru-cache";
import { type KeyLookup, type KeyRing, type NetworkOf, noNetwork } from "../keys/key-ring.js";
import { askStore, type TimeoutSignal } from "../keys/key-store.js";
import type { OperatorKeys } from "../keys/operator-keys.js";
import type { SessionKind, SessionStore, StoredSession } from "./session-store.js";

/** A session that may be used now. */
export interface ActiveSession {
  readonly id: string;
  readonly kind: SessionKind;
  /** The key that requests to models are metered on. */
  readonly key: AccessKey;
  /** Who has opened it, with the role of now. Undefined for a caller. */
  readonly operator: Operator | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether it may still be used, for work that takes long. */
  readonly isActive: () => Promise<boolean>;
}

/** Requests of operators to models. Only the limits of the models apply to them. */
export const operatorKey: AccessKey = Object.freeze({
  ...internalKeys.operator,
  limits: {},
  isDisabled: false,
});

/**
 * The key of a job or a batch. Work that an operator has created in the console runs on after the session. No secret opens
 * the operator's key, and no other key can have its id.
 */
export async function findRunningKey(id: string, keys: Pick<KeyRing, "findById">): Promise<KeyLookup> {
  return id === operatorKey.id ? operatorKey : keys.findById(id);
}

/** Who opens a session. */
export type SessionHolder =
  | { readonly key: AccessKey; readonly operator?: undefined }
  | { readonly key?: undefined; readonly operator: Operator };

interface SessionsOptions {
  readonly store: SessionStore;
  readonly digest: KeyDigest;
  readonly timeout: TimeoutSignal;
  /** `KeyRing.findById` (keys/key-ring.ts). */
  readonly findKey: (id: string) => Promise<KeyLookup>;
  readonly operators: Pick<OperatorKeys, "markOf" | "findByMark">;
  /** Publishes the end of a session to the other workers. */
  readonly publishEnd: () => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const lifetimeMs = 8 * 3_600_000;
const perGrantMax = 100;
/** A session that ended on another gateway must stop working here within a second. */
const recheckMs = 800;
const knownMax = 1000;
/** Concurrent lookups. More can only be guesses. Each network has a share. */
const lookupsMax = 64;

interface SessionLookup {
  readonly text: string;
  readonly fingerprint: string;
  readonly networkOf: NetworkOf;
}

interface KnownSession {
  readonly session: StoredSession;
  readonly checkedAt: number;
}

/**
 * Creates sessions and finds them by their secret. The database is queried at most once a second for each session in
 * use, and never while none is used. A known session works on while the database is unavailable.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By a digest of the secret. */
  readonly #known = new LRUCache<string, KnownSession>({ max: knownMax });
  readonly #lookups = new Map<string, Promise<StoredSession | undefined>>();
  readonly #places = new SharedPool(lookupsMax);
  #generation = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  async create(holder: SessionHolder): Promise<{ session: ActiveSession; text: string }> {
    const { store, digest, timeout, now } = this.#options;
    const { key, operator } = holder;
    const text = createKeyText("mg_session_");
    const createdAt = now();
    const stored: StoredSession = {
      id: newId("session_"),
      digest: digest(text),
      kind: operator === undefined ? "caller" : "operator",
      grantedBy: this.#grantOf(holder),
      createdAt,
      expiresAt: Math.min(createdAt + lifetimeMs, key?.expiresAt ?? Number.POSITIVE_INFINITY),
    };
    await askStore(store.create(stored, perGrantMax), timeout);
    return { session: this.#activate(text, stored, holder), text };
  }

  /** The session of a secret; undefined for a text that is not a session secret, or whose session is over. */
  async find(text: string, networkOf: NetworkOf = noNetwork): Promise<ActiveSession | undefined> {
    if (!isKeyText(text, "mg_session_")) return undefined;
    const stored = await this.#stored(text, networkOf);
    if (stored === undefined || stored.expiresAt <= this.#options.now()) return undefined;
    if (stored.kind === "operator") {
      const operator = this.#options.operators.findByMark(stored.grantedBy);
      return operator === undefined ? undefined : this.#activate(text, stored, { operator });
    }
    if (stored.kind !== "caller") return undefined;
    const key = await this.#options.findKey(stored.grantedBy);
    return typeof key === "string" ? undefined : this.#activate(text, stored, { key });
  }

  #grantOf({ key, operator }: SessionHolder): string {
    if (operator === undefined) return key.id;
    const mark = this.#options.operators.markOf(operator);
    // A reload has removed the operator meanwhile.
    if (mark === undefined) throw new GatewayError("invalid_api_key", "Incorrect admin key provided.");
    return mark;
  }

  #activate(
    text: string,
    { id, createdAt, expiresAt }: StoredSession,
    { key = operatorKey, operator }: SessionHolder,
  ): ActiveSession {
    const kind = operator === undefined ? "caller" : "operator";
    const isActive = async () => (await this.find(text)) !== undefined;
    return { id, kind, key, operator, createdAt, expiresAt, isActive };
  }

  async end(id: string): Promise<void> {
    const { store, timeout, publishEnd } = this.#options;
    await askStore(store.end(id), timeout);
    this.forget();
    await publishEnd();
  }

  /** The next use of each session queries the database. */
  forget(): void {
    this.#generation += 1;
    this.#known.clear();
  }

  async #stored(text: string, networkOf: NetworkOf): Promise<StoredSession | undefined> {
    const fingerprint = hash("sha256", text, "base64");
    const known = this.#known.get(fingerprint);
    const ageMs = known === undefined ? recheckMs : this.#options.now() - known.checkedAt;
    // Below zero where the clock was set back: without the check, a session that has ended would work until then.
    if (known !== undefined && ageMs >= 0 && ageMs < recheckMs) return known.session;
    try {
      return await this.#lookUp({ text, fingerprint, networkOf });
    } catch (failure) {
      const isDown = failure instanceof GatewayError && failure.code === "storage_unavailable";
      if (known !== undefined && isDown) return known.session;
      throw failure;
    }
  }

  #lookUp({ text, fingerprint, networkOf }: SessionLookup): Promise<StoredSession | undefined> {
    const running = this.#lookups.get(fingerprint);
    if (running !== undefined) return running;
    const network = networkOf();
    if (!this.#places.take(network, 1))
      return Promise.reject(storageUnavailable(new Error("Too many concurrent lookups of sessions.")));
    const lookup = this.#ask(text, fingerprint).finally(() => {
      this.#lookups.delete(fingerprint);
      this.#places.giveBack(network, 1);
    });
    this.#lookups.set(fingerprint, lookup);
    return lookup;
  }

  async #ask(text: string, fingerprint: string): Promise<StoredSession | undefined> {
    const { store, digest, timeout, now } = this.#options;
    const checkedAt = now();
    const generation = this.#generation;
    const session = await askStore(store.findByDigest(digest(text)), timeout);
    if (session === undefined) this.#known.delete(fingerprint);
    // A session may have ended during the lookup.
    else if (generation === this.#generation) this.#known.set(fingerprint, { session, checkedAt });
    return session;
  }
}
