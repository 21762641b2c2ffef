import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { storageUnavailable } from "@model-gateway/domain/errors";
import { createKeyDigest, createKeyText, isKeyText, type KeyDigest } from "@model-gateway/domain/key-text";
import type { Settings } from "./key-store.js";

/** The one key that opens the admin API. */
export interface AdminKey {
  readonly matches: (presented: string) => boolean;
  /** Differs for each admin key, and does not allow testing guesses of it faster than its digest does. */
  readonly mark: () => string;
}

interface AdminKeyOptions {
  /** The SHA-256 digest of the configured key. */
  readonly sha256: Buffer | undefined;
  readonly settings: Settings;
  readonly digest: KeyDigest;
  /** Called with the text of the key if this start has created it. It cannot be read again. */
  readonly onCreated: (text: string) => void;
}

/** Uses the configured key; without one, the key that the first start created. */
export async function openAdminKey(options: AdminKeyOptions): Promise<AdminKey> {
  const { sha256, settings, digest, onCreated } = options;
  if (sha256 !== undefined) return configuredKey(sha256);
  const key = createKeyText("mg_admin_");
  const { value, isNew } = await settings.getOrCreate("admin_key_digest", () => digest(key).toString("hex"));
  if (isNew) onCreated(key);
  const settled = Buffer.from(value, "hex");
  return { matches: (presented) => timingSafeEqual(digest(presented), settled), mark: () => markOf(settled) };
}

function configuredKey(sha256: Buffer): AdminKey {
  return {
    matches: (presented) => timingSafeEqual(hash("sha256", presented, "buffer"), sha256),
    mark: () => markOf(sha256),
  };
}

function markOf(digest: Buffer): string {
  return `admin:${hash("sha256", digest, "hex").slice(0, 32)}`;
}

/** The admin key of a gateway that may start before its database. A configured key works without one. */
export class LateAdminKey implements AdminKey {
  readonly #sha256: Buffer | undefined;
  #opened: AdminKey | undefined;

  constructor(sha256: Buffer | undefined) {
    this.#sha256 = sha256;
    if (sha256 !== undefined) this.#opened = configuredKey(sha256);
  }

  async join(options: Omit<AdminKeyOptions, "sha256">): Promise<void> {
    this.#opened ??= await openAdminKey({ ...options, sha256: this.#sha256 });
  }

  readonly matches = (presented: string): boolean => {
    if (this.#opened !== undefined) return this.#opened.matches(presented);
    if (!isKeyText(presented, "mg_admin_")) return false;
    throw adminKeyUnavailable();
  };

  readonly mark = (): string => {
    if (this.#opened === undefined) throw adminKeyUnavailable();
    return this.#opened.mark();
  };
}

function adminKeyUnavailable(): Error {
  return storageUnavailable(new Error("The admin key is in the database, which was unavailable so far."));
}

/** The digest of stored keys. Its secret is in the database, so without that no stored key can be checked. */
export class LateDigest {
  #digest: KeyDigest | undefined;

  join(digest: KeyDigest): void {
    this.#digest = digest;
  }

  readonly digest: KeyDigest = (text) => {
    if (this.#digest !== undefined) return this.#digest(text);
    throw storageUnavailable(
      new Error("The secret of the keys is in the database, which was unavailable so far."),
    );
  };
}

/**
 * The secret that keys are digested with: the configured one, else one that is created once and kept in the database.
 * Throws if the stored keys were created with another secret, because none of them would work.
 */
export async function openKeySecret(settings: Settings, configured: string | undefined): Promise<string> {
  const secret =
    configured ??
    (await settings.getOrCreate("key_secret", () => randomBytes(32).toString("base64url"))).value;
  const proof = createKeyDigest(secret)("the secret of this database").toString("hex");
  const { value } = await settings.getOrCreate("key_secret_proof", () => proof);
  if (value !== proof) throw new KeySecretError();
  return secret;
}

/** Printed without a stack: the message says how to fix it. */
export class KeySecretError extends Error {
  readonly code = "key_secret";

  constructor() {
    super(
      "The keys in the database were created with another secret. Set keySecret in the configuration, or GATEWAY_KEY_SECRET, to that secret. If neither was set when the keys were created, remove both.",
    );
    this.name = "KeySecretError";
  }
}
