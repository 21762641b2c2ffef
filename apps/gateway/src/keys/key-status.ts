import type { StoredKey } from "./key-store.js";

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
