import { GatewayError } from "../../errors.js";
import type { KeyAdmin } from "../../keys/key-admin.js";
import { type KeyChanges, keyStatus, type StoredKey } from "../../keys/key-store.js";
import { type BudgetUsage, unspent } from "../../limits/budget-usage.js";
import type { Budgets } from "../../limits/budgets.js";
import type { RequestBody, Schemas } from "../../operations.js";
import { dollars } from "./ledger-query.js";
import { describeLimits } from "./UsageLimits.js";

/** Keys as the spec describes them. The spending of all of them is read together. */
export async function describeKeys(
  keys: readonly StoredKey[],
  { now, budgets }: Pick<KeyHandlerServices, "now" | "budgets">,
): Promise<Schemas["AccessKey"][]> {
  const usage = await budgets.usage(keys);
  const at = now();
  return keys.map((key) => describe(key, usage.get(key.id), at));
}

export async function describeKey(
  key: StoredKey,
  services: Pick<KeyHandlerServices, "now" | "budgets">,
): Promise<Schemas["AccessKey"]> {
  const usage = await services.budgets.usage([key]);
  return describe(key, usage.get(key.id), services.now());
}

/** Reads nothing: a failure now would lose the secret of a key that exists already. */
export function describeNewKey(key: StoredKey, now: number): Schemas["AccessKey"] {
  return describe(key, key.budget && unspent(key.budget, now), now);
}

function describe(key: StoredKey, usage: BudgetUsage | undefined, now: number): Schemas["AccessKey"] {
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
    budget_usage: describeUsage(usage),
    disabled: key.isDisabled,
    expires_at: secondsOf(key.expiresAt),
    created_at: Math.floor(key.createdAt / 1000),
    last_used_at: secondsOf(key.lastUsedAt),
    revoked_at: secondsOf(key.revokedAt),
  };
}

function describeUsage(usage: BudgetUsage | undefined): Schemas["BudgetUsage"] {
  if (usage === undefined) return null;
  return {
    spent_usd: dollars(usage.spentNanos),
    remaining_usd: dollars(usage.remainingNanos),
    resets_at: usage.resetsAt / 1000,
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
  readonly budgets: Pick<Budgets, "usage">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
