import type { AccessKey } from "../../domain/access-key.js";
import type { RequestFailure } from "../../domain/request-failure.js";
import type { Budgets } from "../../limits/budgets.js";
import type { LimitUsage, RateLimits } from "../../limits/limits.js";
import type { Schemas } from "../../operations.js";
import type { LedgerRow, LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { RequestContext } from "../request/request-context.js";
import { describeBudgetUsage, monthStart, secondsOf } from "./AccessKey.js";
import { dollars } from "./ledger-query.js";
import { describeLimits } from "./UsageLimits.js";

/** The records that a caller may read, which are limited to its key. */
export interface OwnKeyHandlerServices {
  readonly budgets: Pick<Budgets, "usage">;
  readonly limits: Pick<RateLimits, "usage">;
  readonly ledger: LedgerStore;
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
  { budgets, limits, ledger, now }: OwnKeyHandlerServices,
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
    spent_usd: dollars(spent.get(key.id) ?? 0),
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

/** Without the attempts, which name upstreams. */
function describeFailure({ message, param, requestedModel }: RequestFailure): Schemas["OwnFailure"] {
  return { message, param, requested_model: requestedModel };
}

/** Field by field: an upstream, or whatever the ledger gets next, is not the caller's to see. */
export function describeOwnRequest(row: LedgerRow): Schemas["OwnRequest"] {
  return {
    object: "request",
    id: row.id,
    created_at: Math.floor(row.at / 1000),
    operation: row.operation,
    model: row.model,
    status: row.status,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    images: row.images,
    tokens_estimated: row.tokensEstimated,
    cost_usd: dollars(row.costNanos),
    duration_ms: row.ms,
    request_bytes: row.requestBytes,
    response_bytes: row.responseBytes,
    cache: row.cache,
    error_code: row.errorCode,
    failure: row.failure && describeFailure(row.failure),
    cached_inputs: row.cachedInputs,
    saved_usd: dollars(row.savedNanos),
  };
}
