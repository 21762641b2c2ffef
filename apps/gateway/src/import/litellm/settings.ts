import { isObject, objectAt } from "../../domain/json.js";
import type { ImportReport } from "../import-report.js";
import { readNumber, readSecret, readText } from "./values.js";

/** Proxy-wide LiteLLM settings that apply to every model. */
export interface ProxySettings {
  readonly strategy: "fastest" | "weighted";
  readonly retriesMax: number | undefined;
  /** In seconds, unread. */
  readonly timeout: unknown;
  /** Cache lifetime of vectors. `default`: the gateway's default. Undefined: not at all. */
  readonly cacheTtl: string | undefined;
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
  /** The model of each alias. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly masterKey: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
}

type LitellmSettings = Readonly<Record<string, unknown>>;

const strategies: Readonly<Record<string, ProxySettings["strategy"]>> = {
  "simple-shuffle": "weighted",
  "least-busy": "fastest",
  "latency-based-routing": "fastest",
};

/** The keys that are carried over. All others are reported. */
const carried: Readonly<Record<string, readonly string[]>> = {
  router_settings: [
    ...["routing_strategy", "num_retries", "timeout", "fallbacks", "default_fallbacks", "model_group_alias"],
    ...["redis_url", "redis_host", "redis_port", "redis_password"],
  ],
  litellm_settings: [
    ...["num_retries", "request_timeout", "fallbacks", "default_fallbacks", "cache", "cache_params"],
  ],
  general_settings: ["master_key", "database_url"],
};

/** Why some keys are left out. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/callback|alerting|langfuse|otel|prometheus/, "The gateway has its own metrics, traces and webhooks"],
  [/drop_params|modify_params/, "The gateway refuses unsupported options by name"],
  [/allowed_fails|cooldown|retry_policy|retry_after/, "The gateway has its own circuit breaker and retries"],
  [/store_model_in_db/, "Models in LiteLLM's database cannot be read from its file"],
];

export function readSettings(source: unknown, report: ImportReport): ProxySettings {
  const [router, litellm, general] = [
    objectAt(source, "router_settings"),
    objectAt(source, "litellm_settings"),
    objectAt(source, "general_settings"),
  ];
  reportOthers(source, report);
  const retries = router.num_retries ?? litellm.num_retries;
  return {
    strategy: readStrategy(router, report),
    retriesMax: readNumber(retries, { place: "num_retries", report, min: 0, max: 10, isWhole: true }),
    timeout: router.timeout ?? litellm.request_timeout,
    cacheTtl: readCacheTtl(litellm, report),
    fallbacks: readFallbacks(router.fallbacks ?? litellm.fallbacks),
    aliases: readAliases(router.model_group_alias),
    masterKey: readSecret(general.master_key, {
      place: "general_settings.master_key",
      report,
      variable: "GATEWAY_KEY",
    }),
    databaseUrl: readSecret(general.database_url, {
      place: "general_settings.database_url",
      report,
      variable: "DATABASE_URL",
    }),
    redisUrl: readRedisUrl(router, { litellm, report }),
  };
}

function reportOthers(source: unknown, report: ImportReport): void {
  const sections = isObject(source) ? source : {};
  for (const [section, value] of Object.entries(sections)) {
    if (section === "model_list" || section === "credential_list") continue;
    const known = carried[section];
    if (section === "environment_variables") {
      for (const name of Object.keys(objectAt(source, section)))
        report.leaveOut(`${section}.${name}`, "The gateway sets no variables; set them in its environment");
    } else if (known === undefined) report.leaveOut(section, "The gateway has no such setting");
    else
      for (const key of Object.keys(isObject(value) ? value : {}))
        if (!known.includes(key)) report.leaveOut(`${section}.${key}`, reasonFor(key));
  }
  for (const section of ["router_settings", "litellm_settings"])
    if (objectAt(source, section).default_fallbacks !== undefined)
      report.leaveOut(
        `${section}.default_fallbacks`,
        "Vectors and images of another model cannot replace them",
      );
}

function reasonFor(key: string): string {
  return reasons.find(([keys]) => keys.test(key))?.[1] ?? "The gateway has no such setting";
}

function readStrategy({ routing_strategy: named = "simple-shuffle" }: LitellmSettings, report: ImportReport) {
  const strategy = strategies[String(named)];
  if (strategy === undefined)
    report.leaveOut("router_settings.routing_strategy", "Targets are selected by speed instead");
  return strategy ?? "fastest";
}

function readCacheTtl({ cache, cache_params: parameters }: LitellmSettings, report: ImportReport) {
  if (cache !== true) return undefined;
  const { ttl, mode, type = "local", supported_call_types: calls } = isObject(parameters) ? parameters : {};
  const isForEmbeddings =
    !Array.isArray(calls) || calls.includes("embedding") || calls.includes("aembedding");
  if (mode === "default_off" || !isForEmbeddings || !["local", "redis"].includes(String(type)))
    return report.leaveOut("litellm_settings.cache", "Set cache at the models whose vectors may be cached");
  const place = "litellm_settings.cache_params.ttl";
  const seconds = readNumber(ttl, { place, report, min: 1, max: 1_000_000_000, isWhole: true });
  return seconds === undefined ? "default" : `${seconds}s`;
}

/** `[{ a: [b, c] }]`: b and c serve the requests for a when a cannot. */
function readFallbacks(value: unknown): ReadonlyMap<string, readonly string[]> {
  const entries = (Array.isArray(value) ? value : []).flatMap((one) =>
    isObject(one) ? Object.entries(one) : [],
  );
  return new Map(
    entries.map(([model, others]) => [model, (Array.isArray(others) ? others : [others]).map(String)]),
  );
}

/** `{ alias: model }`, or `{ alias: { model } }`. */
function readAliases(value: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(isObject(value) ? value : {});
  return new Map(
    entries.map(([alias, model]) => [alias, String(isObject(model) ? model.model : model)] as const),
  );
}

/** The Redis address, from the router's or the cache's settings. Its password is always a variable. */
function readRedisUrl(
  router: LitellmSettings,
  { litellm, report }: { litellm: LitellmSettings; report: ImportReport },
): string | undefined {
  const cache = litellm.cache === true ? objectAt(litellm, "cache_params") : {};
  const url = router.redis_url ?? cache.redis_url ?? cache.url;
  if (url !== undefined) return readSecret(url, { place: "redis_url", report, variable: "REDIS_URL" });
  const host = readText(router.redis_host ?? cache.host, { place: "redis_host", report });
  if (host === undefined) return undefined;
  const given = router.redis_port ?? cache.port ?? 6379;
  const port = readText(String(given), { place: "redis_port", report });
  const secret = { place: "redis_password", report, variable: "REDIS_PASSWORD" };
  const password = readSecret(router.redis_password ?? cache.password, secret);
  const scheme = cache.ssl === true ? "rediss" : "redis";
  return `${scheme}://${password === undefined ? "" : `:${password}@`}${host}:${port}`;
}
