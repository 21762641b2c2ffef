import { randomBytes } from "node:crypto";
import { createKeyDigest } from "./key-digest.js";
import type { Settings } from "./settings.js";

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
