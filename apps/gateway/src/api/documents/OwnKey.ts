import type { AccessKey } from "@model-gateway/domain/access-key";
import type { Schemas } from "@model-gateway/domain/operations";
import type { RequestContext } from "../../execution/request-context.js";
import type { Budgets } from "../../limits/budgets.js";
import type { LimitUsage, RateLimits } from "../../limits/limits.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Catalog } from "../catalog.js";
import { describeBudgetUsage, describeSpending, monthStart, secondsOf } from "./AccessKey.js";
import { describeLimits } from "./UsageLimits.js";

/** The records that a caller may read, which are limited to its key. */
export interface OwnKeyHandlerServices {
  readonly budgets: Pick<Budgets, "usage">;
  readonly limits: Pick<RateLimits, "usage">;
  readonly ledger: LedgerStore;
  readonly catalog: Catalog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The key of the caller. Every query of its records is limited to it. */
export function ownKeyOf({ key }: Pick<RequestContext, "key">): AccessKey {
  if (key === undefined)
    throw new Error("A request without a key reached an operation on the caller's own key.");
  return key;
}

export async function describeOwnKey(
  key: AccessKey,
  { budgets, limits, ledger, now }: Omit<OwnKeyHandlerServices, "catalog">,
): Promise<Schemas["OwnKey"]> {
  const [usage, spent, taken] = await Promise.all([
    budgets.usage([key]),
    ledger.spentByKey([key.id], monthStart(now())),
    limits.usage({ name: "key", id: key.id, limits: key.limits }),
  ]);
  return {
    object: "own_key",
    id: key.id,
    name: key.name,
    owner: key.owner ?? null,
    models: key.models === undefined ? null : [...key.models],
    priority: key.priority ?? "interactive",
    limits: describeLimits(key.limits),
    limits_remaining: describeRemaining(taken),
    budget: key.budget ?? null,
    budget_usage: describeBudgetUsage(usage.get(key.id)),
    ...describeSpending(spent.get(key.id)),
    expires_at: secondsOf(key.expiresAt),
  };
}

function describeRemaining(taken: readonly LimitUsage[]): Schemas["LimitsRemaining"] {
  const none = {
    requests_per_minute: null,
    requests_per_day: null,
    tokens_per_minute: null,
    tokens_per_day: null,
    images_per_minute: null,
    images_per_day: null,
  };
  const known = taken.map(({ rule: { unit, per, max }, used }) => [
    `${unit}_per_${per}`,
    Math.max(0, max - used),
  ]);
  return { ...none, ...Object.fromEntries(known) };
}
