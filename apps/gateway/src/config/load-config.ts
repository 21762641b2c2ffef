import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
import type { Detection } from "./detect/detection.js";
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
import { entriesWithoutSecrets, withoutSecrets } from "./without-secrets.js";

/** Lists every fault of the configuration, so that an operator can fix them all in one go. */
export class ConfigError extends Error {
  /**
   * @param faults Each with its position in the file.
   * @param details The same with their paths in the file, where they are known.
   */
  constructor(
    readonly faults: readonly string[],
    readonly details: readonly FaultDetail[] = [],
  ) {
    super(
      `The configuration has ${faults.length === 1 ? "an error" : `${faults.length} errors`}:\n${faults.join("\n")}`,
    );
    this.name = "ConfigError";
  }
}

/** A fault without its position. The path is empty for a fault of the whole file. */
export type FaultDetail = Pick<Fault, "path" | "message">;

export interface ConfigSource {
  /** The value of `--config`. */
  readonly path?: string;
  readonly environment: EnvironmentVariables;
  readonly workingDirectory: string;
  /** The upstreams that the built-in configuration has besides the local models. Ignored if there is a file. */
  readonly detection?: Detection | undefined;
}

/** Reads the file, the environment and the defaults into one checked configuration. */
export function loadConfig(source: ConfigSource): Config {
  return checkFile(findFile(source), source);
}

/**
 * Checks the text of a file, and resolves it.
 *
 * @param pending Secrets that the text refers to, and that are about to be written to the secrets folder.
 */
export function checkFile(
  file: FoundFile,
  source: ConfigSource,
  pending?: ReadonlyMap<string, string>,
): Config {
  const { environment, faults: secretFaults } = readSecretFiles(source.environment, {
    names: [...Object.keys(overrides), ...variablesIn(file.text)],
    directory: source.workingDirectory,
    storedNames: new Set(variablesIn(file.text)),
    secretsFolder: () => secretsFolderOf(file, source.environment),
    pending,
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
      located.map(({ path, message }) => ({ path, message })),
    );
  }
  const config = resolveConfig(parsed.data, {
    directory: file.directory,
    isFromEnvironment: yaml.isFromEnvironment,
    isPlainText: yaml.isPlainText,
  });
  return {
    ...config,
    warnings: [...pem.warnings, ...config.warnings, ...(file.detection?.warnings ?? [])],
    detected: (file.detection?.upstreams ?? []).map(({ source, name, models }) => ({
      source,
      upstream: name,
      models: Object.keys(models),
    })),
    files: new Map([...file.versions, ...pem.files]),
    text: withoutSecrets(file.text, overriddenKeys(environment)),
    entries: entriesWithoutSecrets(file.text),
    secrets: findSecrets(overridden, {
      substitutions: yaml.substitutions,
      publicNames: namesOf(config),
    }),
    ...(file.path === undefined ? {} : { file: file.path, version: versionOf(file.text) }),
  };
}

/** Identifies the text of a file. */
export function versionOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

/** The folder for secrets that were entered in the console. */
export function secretsFolderOf(file: FoundFile, environment: EnvironmentVariables): string {
  return join(dataDirOf(file, environment), "secrets");
}

/** The data folder of a configuration, for a command that looks for a running gateway. */
export function findDataDir(source: ConfigSource): string {
  return dataDirOf(findFile(source), source.environment);
}

/** The file need not be valid, and its secrets need not be known. */
function dataDirOf({ text, directory }: FoundFile, environment: EnvironmentVariables): string {
  const settings = withOverrides(readYaml(text, environment).value, environment);
  const given = typeof settings === "object" && settings !== null && "dataDir" in settings;
  const { dataDir } = configSchema.shape;
  const parsed = dataDir.safeParse(given ? settings.dataDir : undefined);
  return resolve(directory, parsed.data ?? dataDir.parse(undefined));
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

/** A configuration file, or the built-in text. */
export interface FoundFile {
  readonly name: string;
  readonly text: string;
  readonly directory: string;
  /** Absent for the built-in configuration. */
  readonly path?: string;
  /** Only for the built-in configuration. */
  readonly detection?: Detection | undefined;
  /** Where the file is, or would be. */
  readonly place: string;
  readonly versions: ReadonlyMap<string, FileVersion>;
}

const usualName = "gateway.yaml";

/** Whether there is a configuration file, or one was asked for. */
export function usesFile(source: ConfigSource): boolean {
  return askedFile(source) !== undefined || existsSync(placeOf(source));
}

function askedFile({ path, environment }: ConfigSource): string | undefined {
  return path ?? (environment.GATEWAY_CONFIG || undefined);
}

/** Where the file is, or would be. */
export function placeOf(source: ConfigSource): string {
  return resolve(source.workingDirectory, askedFile(source) ?? usualName);
}

export function findFile(source: ConfigSource): FoundFile {
  const asked = askedFile(source);
  const name = asked ?? usualName;
  const path = placeOf(source);
  // Before the file is read: a change while it is read is noticed then.
  const versions = new Map([[path, fileVersion(path)]]);
  try {
    const text = readFileSync(path, "utf8");
    return { name, text, directory: dirname(path), path, place: path, versions };
  } catch (cause) {
    const code = codeOf(cause);
    const isMissing = code === "ENOENT";
    if (asked === undefined && isMissing) {
      return {
        name: "built-in configuration",
        text: builtInConfig(source.environment, source.detection?.upstreams),
        detection: source.detection,
        directory: source.workingDirectory,
        place: path,
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
  const path = describePath(steps);
  return `  ${position}  ${path === "" ? "" : `${path}: `}${message}`;
}

/** Such as `models.x.targets[0].upstream`. */
export function describePath(steps: readonly PropertyKey[]): string {
  return steps
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}
