import { GatewayError } from "../../errors.js";
import type { KeyAdmin } from "../../keys/key-admin.js";
import { type KeyChanges, keyStatus, type StoredKey } from "../../keys/key-store.js";
import type { RequestBody, Schemas } from "../../operations.js";
import { describeLimits } from "./UsageLimits.js";

/** A key as the spec describes it. */
export function describeKey(key: StoredKey, now: number): Schemas["AccessKey"] {
  return {
    object: "key",
    id: key.id,
    name: key.name,
    owner: key.owner ?? null,
    redacted_value: `mg_...${key.lastFour}`,
    status: keyStatus(key, now),
    models: key.models === undefined ? null : [...key.models],
    limits: describeLimits(key.limits),
    budget: key.budget ?? null,
    disabled: key.isDisabled,
    expires_at: secondsOf(key.expiresAt),
    created_at: Math.floor(key.createdAt / 1000),
    last_used_at: secondsOf(key.lastUsedAt),
    revoked_at: secondsOf(key.revokedAt),
  };
}

/** The changes in a request body, except its limits. Null removes a restriction. */
export function readChanges(
  { name, owner, models, budget, disabled, expires_at }: Omit<RequestBody<"changeKey">, "limits">,
  now: number,
): KeyChanges {
  if (typeof expires_at === "number" && expires_at * 1000 <= now) {
    throw new GatewayError(
      "invalid_value",
      "Invalid 'expires_at': it is in the past. To stop a key at once, disable or revoke it.",
      { param: "expires_at" },
    );
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owner }),
    ...(models === undefined ? {} : { models }),
    ...(budget === undefined ? {} : { budget }),
    ...(disabled === undefined ? {} : { isDisabled: disabled }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : expires_at * 1000 }),
  };
}

export function keyNotFound(id: string): GatewayError {
  return new GatewayError("key_not_found", `There is no key \`${id.slice(0, 64)}\`.`, { param: "key" });
}

function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}

export interface KeyHandlerServices {
  readonly keys: KeyAdmin;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
