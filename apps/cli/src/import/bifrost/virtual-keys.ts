import type { JsonObject } from "@model-gateway/runtime/json";
import { isObject, listAt, objectAt, withoutUndefined } from "@model-gateway/runtime/json";
import type { ImportReport } from "../import-report.js";
import { readNumber, readSecret, readText } from "../values.js";

const page = "guides/administration.md";
const largest = 1_000_000_000;

/** Bifrost's durations for the gateway's periods. */
const budgetPeriods: Readonly<Record<string, string>> = {
  "1d": "day",
  "24h": "day",
  "1M": "month",
  "30d": "month",
};
const limitPeriods: Readonly<Record<string, string>> = {
  "1m": "PerMinute",
  "60s": "PerMinute",
  "1d": "PerDay",
  "24h": "PerDay",
};

/** The callers' keys, with their models, limits and budgets. A key whose value is in Bifrost's database is left out. */
export function readVirtualKeys(source: unknown, report: ImportReport): JsonObject[] {
  const governance = objectAt(source, "governance");
  return listAt(governance, "virtual_keys").flatMap((value, index) => {
    const key = isObject(value) ? value : {};
    const path = `governance.virtual_keys[${index}]`;
    const title = `"${String(key.name)}"`;
    const why = refuse(key);
    if (why !== undefined) {
      report.leaveOut(path, { why, page, title });
      return [];
    }
    report.imported(`${path}.id`, `${path}.is_active`, `${path}.rate_limit_id`);
    const name = readText(key.name, { place: `${path}.name`, report });
    return withoutUndefined({
      name,
      key: readSecret(key.value, {
        place: `${path}.value`,
        report,
        variable: `KEY_${String(key.name)
          .toUpperCase()
          .replace(/[^A-Z0-9]+/g, "_")}`,
      }),
      models: readModels(key, { path, report }),
      limits: readLimits(governance, { key, report }),
      budget: readBudget(governance, { key, report }),
      expiresAt: readText(key.expires_at, { place: `${path}.expires_at`, report }),
    });
  });
}

function refuse({
  name,
  value,
  is_active: isActive,
  provider_configs: providers,
}: JsonObject): string | undefined {
  if (typeof name !== "string" || name === "") return "It needs a name";
  if (isActive === false) return "It is not active";
  if (value === undefined || value === "") return "Its value is in Bifrost's database; create another key";
  return Array.isArray(providers) && providers.length === 0 ? "It allows no provider" : undefined;
}

/** `provider/name`, as callers write it. Absent: all models. */
function readModels(
  key: JsonObject,
  { path, report }: { readonly path: string; readonly report: ImportReport },
): string[] | undefined {
  const models = listAt(key, "provider_configs").flatMap((value, index) => {
    const config = isObject(value) ? value : {};
    const place = `${path}.provider_configs[${index}]`;
    report.imported(`${place}.provider`, `${place}.allowed_models`);
    return listAt(config, "allowed_models").map((name) => `${String(config.provider)}/${String(name)}`);
  });
  return models.length === 0 ? undefined : models;
}

interface KeyLimits {
  readonly key: JsonObject;
  readonly report: ImportReport;
}

function readLimits(governance: JsonObject, { key, report }: KeyLimits): JsonObject | undefined {
  const limits = listAt(governance, "rate_limits");
  const index = limits.findIndex((one) => isObject(one) && one.id === key.rate_limit_id);
  const limit = objectAt({ limit: limits[index] }, "limit");
  const path = `governance.rate_limits[${index}]`;
  const read = (noun: string, setting: string) => {
    const period = limitPeriods[String(limit[`${noun}_reset_duration`])];
    if (period === undefined) return [];
    const bounds = { min: 1, max: largest, isWhole: true } as const;
    const most = readNumber(limit[`${noun}_max_limit`], {
      place: `${path}.${noun}_max_limit`,
      report,
      ...bounds,
    });
    if (most === undefined) return [];
    report.imported(`${path}.id`, `${path}.${noun}_reset_duration`);
    return [[`${setting}${period}`, most] as const];
  };
  const entries = [...read("request", "requests"), ...read("token", "tokens")];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readBudget(governance: JsonObject, { key, report }: KeyLimits): JsonObject | undefined {
  const budgets = listAt(governance, "budgets");
  const index = budgets.findIndex(
    (one) =>
      isObject(one) && (one.virtual_key_id === key.id || one.id === key.budget_id) && one.id !== undefined,
  );
  const budget = objectAt({ budget: budgets[index] }, "budget");
  const per = budgetPeriods[String(budget.reset_duration)];
  if (per === undefined) return undefined;
  const path = `governance.budgets[${index}]`;
  const usd = readNumber(budget.max_limit, {
    place: `${path}.max_limit`,
    report,
    min: 0.000_001,
    max: largest,
  });
  if (usd === undefined) return undefined;
  report.imported(`${path}.virtual_key_id`, `${path}.reset_duration`);
  if (key.budget_id !== undefined) report.imported(`${path}.id`);
  return { usd, per };
}
