import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import {
  isReferenceName,
  readReference,
  referenceForms,
  type SecretReferences,
} from "../references/reference-names.js";
import { type FileVersion, fileVersion } from "./file-version.js";
import type { EnvironmentVariables, Fault } from "./read-yaml.js";

/** A secret is short; a larger file is another one. */
const secretBytesMax = 64 * 1024;

/** Names of variables, and so of files in the secrets folder. A path is none. */
export const secretName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

interface SecretFileOptions {
  /** The variables that the configuration uses. Files of other variables are not opened. */
  readonly names: readonly string[];
  /** Relative paths in `NAME_FILE` start here. */
  readonly directory: string;
  /** Those of them that may be in the secrets folder. Absent: none. */
  readonly storedNames?: ReadonlySet<string>;
  /** Finds the folder with the secrets that were entered in the console. Called if one of those is still unset. */
  readonly secretsFolder?: () => string;
  /** Secrets that are about to be written to that folder. */
  readonly pending?: ReadonlyMap<string, string> | undefined;
  /** The values of references to a Vault and the like. Absent: there are none. */
  readonly references?: SecretReferences | undefined;
}

/**
 * Reads variables from files. `NAME_FILE` is the path of a file with the value of `NAME`, as Docker and Kubernetes mount
 * secrets. Without either variable, the value is the file `NAME` in the secrets folder, if there is one.
 */
export function readSecretFiles(
  environment: EnvironmentVariables,
  { names, directory, storedNames, secretsFolder, pending, references }: SecretFileOptions,
): {
  readonly environment: EnvironmentVariables;
  readonly faults: readonly Fault[];
  /** The files that are named by `${file:…}`, which are read again as soon as they change. */
  readonly files: ReadonlyMap<string, FileVersion>;
} {
  const completed = { ...environment };
  const faults: Fault[] = [];
  const files = new Map<string, FileVersion>();
  for (const name of new Set(names)) {
    if (isReferenceName(name)) {
      const found = readReferred(name, { directory, references, files });
      if ("value" in found) completed[name] = found.value;
      else faults.push({ path: [], message: `the secret \${${name}} ${found.fault}` });
      continue;
    }
    const path = environment[`${name}_FILE`];
    if (path === undefined || path === "") {
      if ((environment[name] ?? "") !== "" || !secretsFolder || !storedNames?.has(name)) continue;
      if (!secretName.test(name)) continue;
      const stored = pending?.get(name) ?? readStored(join(secretsFolder(), name), faults);
      if (stored !== undefined) completed[name] = stored;
      continue;
    }
    try {
      if ((environment[name] ?? "") !== "") throw new Error(`is set, and so is ${name}; set one of them`);
      completed[name] = readSecret(resolve(directory, path));
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      faults.push({ path: [], message: `the environment variable ${name}_FILE ${reason}` });
    }
  }
  return { environment: completed, faults, files };
}

interface ReferredFiles extends Pick<SecretFileOptions, "directory" | "references"> {
  readonly files: Map<string, FileVersion>;
}

function readReferred(name: string, { directory, references, files }: ReferredFiles) {
  const reference = readReference(name);
  if (reference === undefined) return { fault: `is not written as ${referenceForms}` };
  if (reference.kind !== "file") return references?.find(name) ?? { fault: "is not read by this command" };
  const path = resolve(directory, reference.path);
  // Before the file is read: a change while it is read is noticed then.
  files.set(path, fileVersion(path));
  try {
    return { value: readSecret(path) };
  } catch (failure) {
    return { fault: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** A secret of the secrets folder. Undefined if it is not there. */
function readStored(path: string, faults: Fault[]): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (failure) {
    const code = codeOf(failure);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      faults.push({ path: [], message: `the secret in ${path} cannot be read (${code})` });
    return undefined;
  }
}

/** Editors end a file with a newline, which belongs to no secret. */
function readSecret(path: string): string {
  const text = readText(path).replace(/\r?\n$/, "");
  if (text === "") throw new Error(`names the file ${path}, which is empty`);
  if (text.length > secretBytesMax)
    throw new Error(`names the file ${path}, which is too large for a secret`);
  return text;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`names the file ${path}, which cannot be read (${codeOf(cause)})`);
  }
}
