import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import { ConfigError } from "../config-error.js";
import { builtInConfig } from "../default-config.js";
import type { Detection } from "../detect/detection.js";
import type { SecretReferences } from "../references/reference-names.js";
import { type FileVersion, fileVersion } from "./file-version.js";
import type { EnvironmentVariables } from "./read-yaml.js";

export interface ConfigSource {
  /** The value of `--config`. */
  readonly path?: string;
  readonly environment: EnvironmentVariables;
  readonly workingDirectory: string;
  /** Secrets that are read from a Vault and the like. Absent: a file that names some has faults. */
  readonly references?: SecretReferences | undefined;
  /** The upstreams that the built-in configuration has besides the local models. Ignored if there is a file. */
  readonly detection?: Detection | undefined;
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
