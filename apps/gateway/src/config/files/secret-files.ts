import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf } from "../../domain/failure-code.js";
import type { EnvironmentVariables, Fault } from "./read-yaml.js";

/** A secret is short; a larger file is another one. */
const secretBytesMax = 64 * 1024;

/**
 * Reads variables from files, as Docker and Kubernetes mount secrets: `NAME_FILE` is the path of a file with the value of
 * `NAME`.
 *
 * @param names The variables that the configuration uses. Files of other variables are not opened.
 */
export function readSecretFiles(
  environment: EnvironmentVariables,
  { names, directory }: { readonly names: readonly string[]; readonly directory: string },
): { readonly environment: EnvironmentVariables; readonly faults: readonly Fault[] } {
  const completed = { ...environment };
  const faults: Fault[] = [];
  for (const name of new Set(names)) {
    const path = environment[`${name}_FILE`];
    if (path === undefined || path === "") continue;
    try {
      if ((environment[name] ?? "") !== "") throw new Error(`is set, and so is ${name}; set one of them`);
      completed[name] = readSecret(resolve(directory, path));
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      faults.push({ path: [], message: `the environment variable ${name}_FILE ${reason}` });
    }
  }
  return { environment: completed, faults };
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
