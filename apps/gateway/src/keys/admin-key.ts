import { hash, timingSafeEqual } from "node:crypto";
import type { KeyDigest } from "./key-digest.js";
import { makeKeyText } from "./key-text.js";
import type { Settings } from "./settings.js";

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
