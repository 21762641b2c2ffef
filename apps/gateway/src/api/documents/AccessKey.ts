import type { AccessKey } from "@model-gateway/domain/access-key";
import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { OperationId, RequestBody, Schemas } from "@model-gateway/domain/operations";
import type { RequestContext } from "../../execution/request-context.js";
import type { KeyAdmin } from "../../keys/key-admin.js";
import {
  type KeyChanges,
  keyStatus,
  type ListedKey,
  type StoredKey,
  validSecrets,
} from "../../keys/key-store.js";
import { budgetPeriod } from "../../limits/account.js";
import { type BudgetUsage, unspent } from "../../limits/budget-usage.js";
import type { Budgets } from "../../limits/budgets.js";
import type { LedgerStore, Spending } from "../../usage/ledger/ledger-store.js";
import { dollars } from "./ledger-query.js";
import { describeLimits } from "./UsageLimits.js";

/** Keys as the spec describes them. Their spending is read in one query. */
export async function describeKeys(
  listed: readonly ListedKey[],
  { now, budgets, ledger }: Pick<KeyHandlerServices, "now" | "budgets" | "ledger">,
): Promise<Schemas["AccessKey"][]> {
  const keys = listed.map(({ key }) => key);
  const at = now();
  const ids = keys.map(({ id }) => id);
  const [usage, spent] = await Promise.all([
    budgets.usage(keys),
    ids.length === 0 ? new Map<string, Spending>() : ledger.spentByKey(ids, monthStart(at)),
  ]);
  return listed.map((one) =>
    describe(one, { usage: usage.get(one.key.id), spent: spent.get(one.key.id) }, at),
  );
}

export async function describeKey(
  listed: ListedKey,
  services: Pick<KeyHandlerServices, "now" | "budgets" | "ledger">,
): Promise<Schemas["AccessKey"]> {
  const [described] = await describeKeys([listed], services);
  return described as Schemas["AccessKey"];
}

/** A key from the database or the file, by its id. */
export async function findKey(
  id: string,
  { keys, fileKeys, now }: Pick<KeyHandlerServices, "keys" | "fileKeys" | "now">,
): Promise<ListedKey | undefined> {
  const fileKey = fileKeys.find((key) => key.id === id);
  if (fileKey === undefined) {
    const key = await keys.find(id);
    return key && { source: "database", key };
  }
  // The list knows when it was last used. A configured key counts as the oldest, so it comes first.
  const { items } = await keys.list({
    limit: 1,
    sort: "createdAt",
    order: "asc",
    fileKeys: [fileKey],
    spentSince: monthStart(now()),
  });
  return items[0];
}

/** Keys of the file are changed in the file. */
export function refuseFileKey(id: string, fileKeys: readonly AccessKey[]): void {
  if (!fileKeys.some((key) => key.id === id)) return;
  throw errorOf("key_in_file", { key: id }, { param: "key" });
}

/** Reads nothing: a failure now would lose the secret of a key that exists already. */
export function describeNewKey(key: StoredKey, now: number): Schemas["AccessKey"] {
  return describe({ source: "database", key }, { usage: key.budget && unspent(key.budget, now) }, now);
}

/** The key that may be changed. Throws if there is none, or if it is revoked. */
export function changeable(key: StoredKey | undefined, id: string): StoredKey {
  if (key === undefined) throw keyNotFound(id);
  if (key.revokedAt === undefined) return key;
  throw errorOf("key_revoked", { key: id }, { param: "key" });
}

/** Start of the spending that counts as a key's `spent_usd`. */
export function monthStart(now: number): number {
  return budgetPeriod("month", now).startsAt;
}

interface DescribedSpending {
  readonly usage?: BudgetUsage | undefined;
  readonly spent?: Spending | undefined;
}

function describe(listed: ListedKey, { usage, spent }: DescribedSpending, now: number): Schemas["AccessKey"] {
  const { source, key } = listed;
  const stored = listed.source === "database" ? listed.key : undefined;
  return {
    object: "key",
    id: key.id,
    name: key.name,
    owner: key.owner ?? null,
    ...describeSecrets(stored, now),
    source,
    status: keyStatus(key, now),
    models: key.models === undefined ? null : [...key.models],
    priority: key.priority ?? "interactive",
    limits: describeLimits(key.limits),
    budget: key.budget ?? null,
    budget_usage: describeBudgetUsage(usage),
    ...describeSpending(spent),
    disabled: key.isDisabled,
    expires_at: secondsOf(key.expiresAt),
    created_at: secondsOf(stored?.createdAt),
    last_used_at: secondsOf(key.lastUsedAt),
    revoked_at: secondsOf(stored?.revokedAt),
  };
}

/** The secrets of a key, by which people recognise it. The configuration has only digests. */
export function describeSecrets(
  stored: StoredKey | undefined,
  now: number,
): Pick<Schemas["AccessKey"], "redacted_value" | "old_secrets"> {
  if (stored === undefined) return { redacted_value: null, old_secrets: [] };
  const oldSecrets = validSecrets(stored, now).map((secret) => ({
    redacted_value: redacted(secret),
    expires_at: Math.floor(secret.expiresAt / 1000),
  }));
  return { redacted_value: redacted(stored), old_secrets: oldSecrets };
}

function redacted({ lastFour }: Pick<StoredKey, "lastFour">): string {
  return `mg_...${lastFour}`;
}

export function describeBudgetUsage(usage: BudgetUsage | undefined): Schemas["BudgetUsage"] {
  if (usage === undefined) return null;
  return {
    spent_usd: dollars(usage.spentNanos),
    remaining_usd: dollars(usage.remainingNanos),
    resets_at: usage.resetsAt / 1000,
  };
}

/** @param spent Undefined for a key without requests. */
export function describeSpending(
  spent: Spending | undefined,
): Pick<Schemas["AccessKey"], "spent_usd" | "unpriced_requests"> {
  return { spent_usd: dollars(spent?.costNanos ?? 0), unpriced_requests: spent?.unpriced ?? 0 };
}

/** The changes in a request body, except its limits. Null removes a restriction. */
export function readChanges(
  { name, owner, models, priority, budget, disabled, expires_at }: Omit<RequestBody<"changeKey">, "limits">,
  now: number,
): KeyChanges {
  refuseHalfCharacter("name", name);
  refuseHalfCharacter("owner", owner);
  for (const [index, model] of (models ?? []).entries()) refuseHalfCharacter(`models[${index}]`, model);
  if (typeof expires_at === "number" && expires_at * 1000 <= now) {
    throw errorOf(
      "invalid_value",
      { param: "expires_at", reason: "it is in the past" },
      { hint: "To stop a key at once, disable or revoke it." },
    );
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owner }),
    ...(models === undefined ? {} : { models }),
    ...(priority === undefined ? {} : { priority }),
    ...(budget === undefined ? {} : { budget }),
    ...(disabled === undefined ? {} : { isDisabled: disabled }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : expires_at * 1000 }),
  };
}

/** Half of a surrogate pair cannot be stored as UTF-8. A pattern that says so would not compile in Go. */
function refuseHalfCharacter(param: string, text: string | null | undefined): void {
  if (typeof text !== "string" || !/\p{Cs}/u.test(text)) return;
  throw errorOf("invalid_value", { param, reason: "it has half of a surrogate pair" });
}

export function keyNotFound(id: string): GatewayError {
  return errorOf("key_not_found", { key: id.slice(0, 64) }, { param: "key" });
}

export function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}

/** Writes to the log who has done something to a key. */
export type AuditKey = (change: KeyAudit) => void;

interface KeyAudit {
  readonly operation: OperationId;
  readonly keyId: string;
  readonly context: Pick<RequestContext, "id" | "caller" | "session">;
}

export interface KeyHandlerServices {
  readonly keys: KeyAdmin;
  /** The configured keys. */
  readonly fileKeys: readonly AccessKey[];
  readonly budgets: Pick<Budgets, "usage">;
  readonly ledger: Pick<LedgerStore, "spentByKey">;
  readonly auditKey: AuditKey;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
