import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Settings } from "./key-store.js";
import { createKeyDigest, type KeyDigest, makeKeyText } from "./key-text.js";

/** The one key that opens the admin API. */
export interface AdminKey {
  readonly opens: (presented: string) => boolean;
  /** The key itself, where it was made by this very start; nobody will see it again. */
  readonly made?: string;
}

export interface AdminKeyNeeds {
  /** The SHA-256 digest of the key that the configuration names. */
  readonly sha256: Buffer | undefined;
  readonly settings: Settings;
  readonly digest: KeyDigest;
}

/** Takes the key of the configuration; without one, the key that the first start has made. */
export async function openAdminKey({ sha256, settings, digest }: AdminKeyNeeds): Promise<AdminKey> {
  if (sha256 !== undefined)
    return { opens: (presented) => timingSafeEqual(hash("sha256", presented, "buffer"), sha256) };
  const key = makeKeyText("mg_admin_");
  const { value, isNew } = await settings.settleOnce("admin_key_digest", () => digest(key).toString("hex"));
  const settled = Buffer.from(value, "hex");
  return {
    opens: (presented) => timingSafeEqual(digest(presented), settled),
    ...(isNew ? { made: key } : {}),
  };
}

/**
 * The secret that keys are digested with: that of the configuration, else one that is made once and kept in the
 * database. With another one than the keys were made with none of them would work, so that the gateway does not start.
 */
export async function openKeySecret(settings: Settings, configured: string | undefined): Promise<string> {
  const secret =
    configured ??
    (await settings.settleOnce("key_secret", () => randomBytes(32).toString("base64url"))).value;
  const proof = createKeyDigest(secret)("the secret of this database").toString("hex");
  const { value } = await settings.settleOnce("key_secret_proof", () => proof);
  if (value !== proof) throw new KeySecretError();
  return secret;
}

/** The message is all that a person needs. */
export class KeySecretError extends Error {
  readonly code = "key_secret";

  constructor() {
    super(
      "The keys in the database were made with another secret. Give the gateway the one that they were made with: keySecret in the configuration, or GATEWAY_KEY_SECRET; leave both out if none was given then.",
    );
    this.name = "KeySecretError";
  }
}
