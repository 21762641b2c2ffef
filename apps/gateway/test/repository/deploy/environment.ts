import { helpText } from "@model-gateway/cli/help";
import type { Config } from "@model-gateway/config/config";
import { load } from "@model-gateway/config/test/load-text";

/** The variables that the gateway itself reads, as --help lists them. */
const settings = /override the file: ([\s\S]*?)\./.exec(helpText())?.[1]?.split(/,\s+/) ?? [];

/** Node reads the first, and glibc the second. */
const ofTheProcess = ["NODE_ENV", "MALLOC_MMAP_THRESHOLD_"];

/** Variables that neither the gateway nor its configuration file reads. `NAME_FILE` is read for `NAME`. */
export function unknownVariables(names: readonly string[], config: string): string[] {
  const inFile = [...config.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name);
  const known = new Set([...settings, ...inFile, ...ofTheProcess]);
  return names.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, "")));
}

/** Loads a configuration file with a value for each variable of it, and with others. Throws if it has a fault. */
export function loadDeployed(config: string, others: Readonly<Record<string, string>> = {}): Config {
  const names = [...config.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name);
  const secrets = Object.fromEntries(names.map((name) => [name, "a-secret-of-some-length"]));
  return load(config, { ...secrets, ...others });
}
