import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf } from "../domain/failure-code.js";
import { findSecrets } from "../secrets/find-secrets.js";
import {
  checkKeyNamesUnique,
  checkLinkSecretShared,
  checkModelsExist,
  checkUpstreamsExist,
  checkWorkersShareStorage,
} from "./checks.js";
import type { Config } from "./config.js";
import { builtInConfig } from "./default-config.js";
import { type FileVersion, fileVersion } from "./files/file-version.js";
import { checkProduct } from "./files/other-products.js";
import { parseFile } from "./files/parse-file.js";
import { readPemFiles } from "./files/pem-files.js";
import { type EnvironmentVariables, type Fault, readYaml, variablesIn } from "./files/read-yaml.js";
import { readSecretFiles } from "./files/secret-files.js";
import { checkKinds } from "./models/check-kinds.js";
import { checkAliasesUnique, checkDefaults } from "./models/check-names.js";
import { checkPassThrough, checkPatterns } from "./models/check-targets.js";
import { resolveConfig } from "./resolve.js";
import { configSchema } from "./schema/schema.js";
import { withoutSecrets } from "./without-secrets.js";

/** Lists every fault of the configuration, so that an operator can fix them all in one go. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "an error" : `${faults.length} errors`}:\n${faults.join("\n")}`,
    );
    this.name = "ConfigError";
  }
}

export interface ConfigSource {
  /** The value of `--config`. */
  readonly path?: string;
  readonly environment: EnvironmentVariables;
  readonly workingDirectory: string;
}

/** Reads the file, the environment and the defaults into one checked configuration. */
export function loadConfig(source: ConfigSource): Config {
  const file = findFile(source);
  const { environment, faults: secretFaults } = readSecretFiles(source.environment, {
    names: [...Object.keys(overrides), ...variablesIn(file.text)],
    directory: source.workingDirectory,
  });
  const yaml = readYaml(file.text, environment);
  const pem = readPemFiles(yaml.value, file.directory);
  const { value } = pem;
  const overridden = withOverrides(value, environment);
  const parsed = value === undefined ? undefined : parseFile(overridden);
  const otherProduct = checkProduct(value, file.name);
  const ownFaults = [
    ...secretFaults,
    ...yaml.faults,
    ...pem.faults,
    ...(parsed?.faults ?? []),
    ...checkUpstreamsExist(value),
    ...checkModelsExist(value),
    ...checkKinds(value),
    ...checkAliasesUnique(value),
    ...checkDefaults(value),
    ...checkPassThrough(value),
    ...checkPatterns(value),
    ...checkWorkersShareStorage(overridden),
    ...checkKeyNamesUnique(value),
    ...checkLinkSecretShared(overridden),
    // A value with an unset variable has its fault already.
  ].filter(({ path }) => path.length === 0 || !yaml.isUnset(path));
  // Nothing in another product's file is worth a correction.
  const faults = otherProduct.length > 0 ? otherProduct : ownFaults;
  if (faults.length > 0 || parsed?.data === undefined) {
    const located = faults.map((fault) => ({ ...fault, at: fault.at ?? yaml.locate(fault.path) }));
    const variableOf = ({ path }: LocatedFault) => overridingVariable(path, environment);
    throw new ConfigError(
      located
        .sort(byPosition)
        .map((fault) => describe(fault, { file: file.name, variable: variableOf(fault) })),
    );
  }
  const config = resolveConfig(parsed.data, {
    directory: file.directory,
    isFromEnvironment: yaml.isFromEnvironment,
    isPlainText: yaml.isPlainText,
  });
  return {
    ...config,
    warnings: [...pem.warnings, ...config.warnings],
    files: new Map([...file.versions, ...pem.files]),
    text: withoutSecrets(file.text, overriddenKeys(environment)),
    secrets: findSecrets(overridden, {
      substitutions: yaml.substitutions,
      publicNames: namesOf(config),
    }),
    ...(file.path === undefined ? {} : { file: file.path }),
  };
}

/**
 * The data folder of a configuration, which need not be valid: a command that looks for a running gateway does not have
 * the secrets of its file.
 */
export function findDataDir(source: ConfigSource): string {
  const file = findFile(source);
  const settings = withOverrides(readYaml(file.text, source.environment).value, source.environment);
  const given = typeof settings === "object" && settings !== null && "dataDir" in settings;
  const { dataDir } = configSchema.shape;
  const parsed = dataDir.safeParse(given ? settings.dataDir : undefined);
  return resolve(file.directory, parsed.data ?? dataDir.parse(undefined));
}

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
  GATEWAY_ADMIN_KEY: "adminKey",
  GATEWAY_KEY_SECRET: "keySecret",
} as const;

function withOverrides(value: unknown, environment: EnvironmentVariables): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return { ...value, ...overriddenKeys(environment) };
}

/** The keys that environment variables override, with their values. */
function overriddenKeys(environment: EnvironmentVariables): Readonly<Record<string, unknown>> {
  const given = Object.entries(overrides).filter(([variable]) => (environment[variable] ?? "") !== "");
  return Object.fromEntries(
    given.map(([variable, key]) => [key, readOverride(variable, environment[variable] ?? "")]),
  );
}

function readOverride(variable: string, text: string): unknown {
  if (variable === "PORT" || variable === "WORKERS") return Number(text);
  if (variable === "TRUSTED_PROXIES") return text.split(",").map((proxy) => proxy.trim());
  return text;
}

interface FoundFile {
  readonly name: string;
  readonly text: string;
  readonly directory: string;
  /** Absent for the built-in configuration. */
  readonly path?: string;
  readonly versions: ReadonlyMap<string, FileVersion>;
}

function findFile(source: ConfigSource): FoundFile {
  const asked = source.path ?? (source.environment.GATEWAY_CONFIG || undefined);
  const name = asked ?? "gateway.yaml";
  const path = resolve(source.workingDirectory, name);
  // Before the file is read: a change while it is read is noticed then.
  const versions = new Map([[path, fileVersion(path)]]);
  try {
    return { name, text: readFileSync(path, "utf8"), directory: dirname(path), path, versions };
  } catch (cause) {
    const code = codeOf(cause);
    const isMissing = code === "ENOENT";
    if (asked === undefined && isMissing) {
      return {
        name: "built-in configuration",
        text: builtInConfig(source.environment),
        directory: source.workingDirectory,
        versions: new Map(),
      };
    }
    throw new ConfigError([
      isMissing
        ? `  ${name}: the file does not exist; correct the path in --config or GATEWAY_CONFIG`
        : `  ${name}: the file cannot be read (${code}); check its path and its permissions`,
    ]);
  }
}

/** Names that callers and operators see. */
function namesOf({ upstreams, models }: Pick<Config, "upstreams" | "models">): Set<string> {
  return new Set([
    ...upstreams.keys(),
    ...[...upstreams.values()].map(({ provider }) => provider),
    ...models.keys(),
    ...[...models.values()].flatMap(({ targets }) => targets.map(({ model }) => model)),
  ]);
}

type LocatedFault = Omit<Fault, "at"> & { readonly at: Fault["at"] | undefined };

function byPosition({ at: left }: LocatedFault, { at: right }: LocatedFault): number {
  return (left?.line ?? 0) - (right?.line ?? 0) || (left?.column ?? 0) - (right?.column ?? 0);
}

/** The environment variable that overrides the key at fault, if one does. */
function overridingVariable(
  [key]: readonly PropertyKey[],
  environment: EnvironmentVariables,
): string | undefined {
  return Object.entries(overrides).find(
    ([variable, name]) => name === key && (environment[variable] ?? "") !== "",
  )?.[0];
}

function describe(
  { path: steps, message, at }: LocatedFault,
  { file, variable }: { file: string; variable: string | undefined },
): string {
  if (variable !== undefined) return `  the environment variable ${variable}: ${message}`;
  const position = at === undefined ? file : `${file}:${at.line}:${at.column}`;
  const path = steps.map((part, index) =>
    typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`,
  );
  return `  ${position}  ${path.length === 0 ? "" : `${path.join("")}: `}${message}`;
}
