import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { z } from "zod";
import {
  checkDimensionsDeclared,
  checkKeyNamesUnique,
  checkUpstreamsExist,
  checkVectorSpaces,
  checkWorkersShareStorage,
} from "./checks.js";
import type { Config } from "./config.js";
import { defaultConfig } from "./default-config.js";
import { renameOldKeys } from "./old-keys.js";
import { type Environment, type Fault, readYaml } from "./read-yaml.js";
import { resolveConfig } from "./resolve.js";
import { configSchema } from "./schema.js";

/** Thrown with every fault at once, so that an operator mends the file in one go. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.join("\n")}`,
    );
    this.name = "ConfigError";
  }
}

export interface ConfigSource {
  /** From `--config`. */
  readonly path?: string;
  readonly environment: Environment;
  readonly workingDirectory: string;
}

/** Reads the file, the environment and the defaults into one checked configuration. */
export function loadConfig(source: ConfigSource): Config {
  const file = findFile(source);
  const yaml = readYaml(file.text, source.environment);
  const { value, warnings } = renameOldKeys(yaml.value);
  const parsed =
    value === undefined ? undefined : configSchema.safeParse(withOverrides(value, source.environment));
  const faults = [
    ...yaml.faults,
    ...(parsed?.success === false ? parsed.error.issues.flatMap(faultsOf) : []),
    ...checkUpstreamsExist(value),
    ...checkVectorSpaces(value),
    ...checkDimensionsDeclared(value),
    ...checkWorkersShareStorage(parsed?.data),
    ...checkKeyNamesUnique(value),
  ];
  if (faults.length > 0 || parsed?.success !== true) {
    const placed = faults.map((fault) => ({ ...fault, at: fault.at ?? yaml.locate(fault.path) }));
    const sourceOf = ({ path }: PlacedFault) => overridingVariable(path, source.environment);
    throw new ConfigError(
      placed.sort(byPlace).map((fault) => describe(fault, { file: file.name, variable: sourceOf(fault) })),
    );
  }
  const config = resolveConfig(parsed.data, {
    directory: file.directory,
    isFromEnvironment: yaml.isFromEnvironment,
    isPlainText: yaml.isPlainText,
  });
  return {
    ...config,
    warnings: [...warnings, ...config.warnings],
    ...(file.path === undefined ? {} : { file: file.path }),
  };
}

const overrides = {
  HOST: "host",
  PORT: "port",
  WORKERS: "workers",
  DATA_DIR: "dataDir",
  LOG_LEVEL: "logLevel",
  REDIS_URL: "redisUrl",
  PUBLIC_URL: "publicUrl",
  DATABASE_URL: "databaseUrl",
  GATEWAY_ADMIN_KEY: "adminKey",
  GATEWAY_KEY_SECRET: "keySecret",
} as const;

function withOverrides(value: unknown, environment: Environment): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const given = Object.entries(overrides).filter(([variable]) => (environment[variable] ?? "") !== "");
  return {
    ...value,
    ...Object.fromEntries(
      given.map(([variable, key]) => [
        key,
        variable === "PORT" || variable === "WORKERS" ? Number(environment[variable]) : environment[variable],
      ]),
    ),
  };
}

interface FoundFile {
  readonly name: string;
  readonly text: string;
  readonly directory: string;
  /** Absent where there is no file and the default takes its place. */
  readonly path?: string;
}

function findFile(source: ConfigSource): FoundFile {
  const asked = source.path ?? (source.environment.GATEWAY_CONFIG || undefined);
  const name = asked ?? "gateway.yaml";
  const path = resolve(source.workingDirectory, name);
  try {
    return { name, text: readFileSync(path, "utf8"), directory: dirname(path), path };
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (asked === undefined && isMissing) {
      return { name: "built-in configuration", text: defaultConfig, directory: source.workingDirectory };
    }
    throw new ConfigError([`${name}: cannot be read${isMissing ? ": there is no such file" : ""}`]);
  }
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownKey(key, issue.path) }));
  }
  if (issue.code === "invalid_union") {
    // The branch that was meant is the one whose fault lies inside the value.
    const inside = issue.errors.flat().filter(({ path }) => path.length > 0);
    if (inside.length > 0)
      return inside.flatMap((inner) => faultsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path: issue.path, message: issue.message }];
}

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const isOnTarget = path.at(-2) === "targets";
  return isOnTarget && key === "coalesce" ? "belongs to the model, beside its targets" : "is not a known key";
}

type PlacedFault = Omit<Fault, "at"> & { readonly at: Fault["at"] | undefined };

function byPlace({ at: left }: PlacedFault, { at: right }: PlacedFault): number {
  return (left?.line ?? 0) - (right?.line ?? 0) || (left?.column ?? 0) - (right?.column ?? 0);
}

/** The environment variable that a value at fault came from, if it did. */
function overridingVariable([key]: readonly PropertyKey[], environment: Environment): string | undefined {
  return Object.entries(overrides).find(
    ([variable, name]) => name === key && (environment[variable] ?? "") !== "",
  )?.[0];
}

function describe(
  { path: steps, message, at }: PlacedFault,
  { file, variable }: { file: string; variable: string | undefined },
): string {
  if (variable !== undefined) return `  the environment variable ${variable}: ${message}`;
  const place = at === undefined ? file : `${file}:${at.line}:${at.column}`;
  const path = steps.map((part, index) =>
    typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`,
  );
  return `  ${place}  ${path.length === 0 ? "" : `${path.join("")}: `}${message}`;
}
