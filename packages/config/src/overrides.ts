import type { EnvironmentVariables } from "./files/read-yaml.js";

/** Environment variables that override keys in the file. The help and the guide name each. */
export const overrides = {
  HOST: "host",
  PORT: "port",
  WORKERS: "workers",
  DATA_DIR: "dataDir",
  LOG_LEVEL: "logLevel",
  ON_STALL: "onStall",
  REDIS_URL: "redisUrl",
  PUBLIC_URL: "publicUrl",
  TRUSTED_PROXIES: "trustedProxies",
  DATABASE_URL: "databaseUrl",
  DATABASE_CONNECTIONS_MAX: "databaseConnectionsMax",
  GATEWAY_ADMIN_KEY: "adminKey",
  GATEWAY_KEY_SECRET: "keySecret",
} as const;

/** The settings of a file, with those that the environment overrides. */
export function withOverrides(value: unknown, environment: EnvironmentVariables): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return { ...value, ...overriddenKeys(environment) };
}

/** The keys that environment variables override, with their values. */
export function overriddenKeys(environment: EnvironmentVariables): Readonly<Record<string, unknown>> {
  const given = Object.entries(overrides).filter(([variable]) => (environment[variable] ?? "") !== "");
  return Object.fromEntries(
    given.map(([variable, key]) => [key, readOverride(variable, environment[variable] ?? "")]),
  );
}

const numbers: ReadonlySet<string> = new Set(["PORT", "WORKERS", "DATABASE_CONNECTIONS_MAX"]);

function readOverride(variable: string, text: string): unknown {
  if (numbers.has(variable)) return Number(text);
  if (variable === "TRUSTED_PROXIES") return text.split(",").map((proxy) => proxy.trim());
  return text;
}

/** The environment variable that overrides the key at fault, if one does. */
export function overridingVariable(
  [key]: readonly PropertyKey[],
  environment: EnvironmentVariables,
): string | undefined {
  return Object.entries(overrides).find(
    ([variable, name]) => name === key && (environment[variable] ?? "") !== "",
  )?.[0];
}
