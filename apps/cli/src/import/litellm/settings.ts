import { isObject, listAt, objectAt, withoutUndefined } from "@model-gateway/runtime/json";
import type { ImportReport } from "../import-report.js";
import { readNumber, readSecret, readText } from "../values.js";
import { timeoutBounds } from "./upstreams.js";

/** Proxy-wide LiteLLM settings that apply to every model. */
export interface ProxySettings {
  readonly strategy: "fastest" | "weighted";
  readonly retriesMax: number | undefined;
  readonly timeoutSeconds: number | undefined;
  /** Cache lifetime of vectors. `default`: the gateway's default. Undefined: not at all. */
  readonly cacheTtl: string | undefined;
  readonly fallbacks: readonly Fallback[];
  /** The model of each alias, and the path of the alias. */
  readonly aliases: readonly Alias[];
  /** The key that callers have, with the budget of the proxy. */
  readonly key: Readonly<Record<string, unknown>> | undefined;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
}

/** `other` serves the requests for `model` when that cannot. Without a model it serves those for all. */
export interface Fallback {
  readonly path: string;
  readonly model?: string;
  readonly other: string;
}

export interface Alias {
  readonly path: string;
  readonly alias: string;
  readonly model: string;
}

type LitellmSettings = Readonly<Record<string, unknown>>;

/** The sections of a LiteLLM file that hold settings, and the report. */
interface Sections {
  readonly router: LitellmSettings;
  readonly litellm: LitellmSettings;
  readonly general: LitellmSettings;
  readonly report: ImportReport;
}

const strategies: Readonly<Record<string, ProxySettings["strategy"]>> = {
  "simple-shuffle": "weighted",
  "least-busy": "fastest",
  "latency-based-routing": "fastest",
};

export function readSettings(source: unknown, report: ImportReport): ProxySettings {
  const sections: Sections = {
    router: objectAt(source, "router_settings"),
    litellm: objectAt(source, "litellm_settings"),
    general: objectAt(source, "general_settings"),
    report,
  };
  const { router, litellm, general } = sections;
  return {
    strategy: readStrategy(sections),
    retriesMax:
      readNumber(router.num_retries, { place: "router_settings.num_retries", report, ...retryBounds }) ??
      readNumber(litellm.num_retries, { place: "litellm_settings.num_retries", report, ...retryBounds }),
    timeoutSeconds:
      readNumber(router.timeout, { place: "router_settings.timeout", report, ...timeoutBounds }) ??
      readNumber(litellm.request_timeout, {
        place: "litellm_settings.request_timeout",
        report,
        ...timeoutBounds,
      }),
    cacheTtl: readCacheTtl(sections),
    fallbacks: [...readFallbacks(router, "router_settings"), ...readFallbacks(litellm, "litellm_settings")],
    aliases: readAliases(router.model_group_alias),
    key: readKey(sections),
    databaseUrl: readSecret(general.database_url, {
      place: "general_settings.database_url",
      report,
      variable: "DATABASE_URL",
    }),
    redisUrl: readRedisUrl(sections),
  };
}

const retryBounds = { min: 0, max: 10, isWhole: true } as const;

function readStrategy({ router: { routing_strategy: named }, report }: Sections): ProxySettings["strategy"] {
  if (named === undefined) return "weighted";
  const strategy = strategies[String(named)];
  const place = "router_settings.routing_strategy";
  if (strategy === undefined)
    report.leaveOut(place, { why: "Targets are selected by speed instead", page: "guides/scheduling.md" });
  else report.imported(place);
  return strategy ?? "fastest";
}

function readCacheTtl({
  litellm: { cache, cache_params: parameters },
  report,
}: Sections): string | undefined {
  if (cache !== true) return undefined;
  const { ttl, mode, type = "local", supported_call_types: calls } = isObject(parameters) ? parameters : {};
  const isForEmbeddings =
    !Array.isArray(calls) || calls.includes("embedding") || calls.includes("aembedding");
  const place = "litellm_settings.cache_params";
  if (mode === "default_off" || !isForEmbeddings || !["local", "redis"].includes(String(type)))
    return report.leaveOut("litellm_settings.cache", {
      why: "Set cache at the models whose vectors may be cached",
      page: "guides/configuration.md",
    });
  report.imported(
    "litellm_settings.cache",
    `${place}.type`,
    `${place}.mode`,
    `${place}.supported_call_types`,
  );
  const bounds = { min: 1, max: 1_000_000_000, isWhole: true } as const;
  const seconds = readNumber(ttl, { place: `${place}.ttl`, report, ...bounds });
  return seconds === undefined ? "default" : `${seconds}s`;
}

/** `fallbacks: [{ a: [b, c] }]`: b and c serve the requests for a when a cannot. */
function readFallbacks(settings: LitellmSettings, section: string): Fallback[] {
  const named = listAt(settings, "fallbacks").flatMap((one, index) =>
    Object.entries(isObject(one) ? one : {}).flatMap(([model, others]) => {
      const path = `${section}.fallbacks[${index}].${model}`;
      return Array.isArray(others)
        ? others.map((other, at) => ({ path: `${path}[${at}]`, model, other: String(other) }))
        : [{ path, model, other: String(others) }];
    }),
  );
  const general = listAt(settings, "default_fallbacks").map((other, index) => ({
    path: `${section}.default_fallbacks[${index}]`,
    other: String(other),
  }));
  return [...named, ...general];
}

/** `{ alias: model }`, or `{ alias: { model } }`. */
function readAliases(value: unknown): Alias[] {
  return Object.entries(isObject(value) ? value : {}).map(([alias, model]) => ({
    path: `router_settings.model_group_alias.${alias}`,
    alias,
    model: String(isObject(model) ? model.model : model),
  }));
}

/** LiteLLM's names for the gateway's periods. */
const periods: Readonly<Record<string, string>> = {
  "1d": "day",
  "24h": "day",
  "86400s": "day",
  "30d": "month",
  "1mo": "month",
};

/** The master key is the only one in the file. The budget of the proxy is then that of the key. */
function readKey({ general, litellm, report }: Sections): ProxySettings["key"] {
  const key = readSecret(general.master_key, {
    place: "general_settings.master_key",
    report,
    variable: "GATEWAY_KEY",
  });
  if (key === undefined) return undefined;
  const per = periods[String(litellm.budget_duration)];
  const place = "litellm_settings.max_budget";
  const bounds = { min: 0.000_001, max: 1_000_000_000 };
  const usd = per === undefined ? undefined : readNumber(litellm.max_budget, { place, report, ...bounds });
  if (usd !== undefined) report.imported("litellm_settings.budget_duration");
  const budget = usd === undefined ? undefined : { usd, per };
  return { name: "litellm-master-key", key, ...withoutUndefined({ budget }) };
}

/** The Redis address, from the router's or the cache's settings. Its password is always a variable. */
function readRedisUrl({ router, litellm, report }: Sections): string | undefined {
  const cache = litellm.cache === true ? objectAt(litellm, "cache_params") : {};
  const find = (routerKey: string, ...cacheKeys: readonly string[]) => {
    if (router[routerKey] !== undefined)
      return { value: router[routerKey], place: `router_settings.${routerKey}`, report };
    const key = cacheKeys.find((one) => cache[one] !== undefined) ?? "";
    return { value: cache[key], place: `litellm_settings.cache_params.${key}`, report };
  };
  const { value: url, ...urlPlace } = find("redis_url", "redis_url", "url");
  if (url !== undefined) return readSecret(url, { ...urlPlace, variable: "REDIS_URL" });
  const { value: host, ...hostPlace } = find("redis_host", "host");
  const { value: given, ...portPlace } = find("redis_port", "port");
  const { value: secret, ...secretPlace } = find("redis_password", "password");
  const name = readText(host, hostPlace);
  if (name === undefined) return undefined;
  const port = given === undefined ? "6379" : readText(String(given), portPlace);
  const password = readSecret(secret, { ...secretPlace, variable: "REDIS_PASSWORD" });
  if (cache.ssl !== undefined) report.imported("litellm_settings.cache_params.ssl");
  const scheme = cache.ssl === true ? "rediss" : "redis";
  return `${scheme}://${password === undefined ? "" : `:${password}@`}${name}:${port}`;
}
