import { join, resolve } from "node:path";
import { isObject } from "@model-gateway/runtime/json";
import { type ConfigSource, type FoundFile, findFile } from "./files/find-file.js";
import { type EnvironmentVariables, readYaml } from "./files/read-yaml.js";
import { withOverrides } from "./overrides.js";

/** The data folder where the file and the environment name none. Relative to the folder of the file. */
export const defaultDataDir = "./data";

type FileText = Pick<FoundFile, "text" | "directory">;

/** The folder for secrets that were entered in the console, or pasted into `init`. */
export function secretsFolderOf(file: FileText, environment: EnvironmentVariables): string {
  return join(dataDirOfText(file, environment), "secrets");
}

/** The data folder of a configuration, for a command that looks for a running gateway. */
export function findDataDir(source: ConfigSource): string {
  return dataDirOfText(findFile(source), source.environment);
}

/**
 * The file need not be valid, and its secrets need not be known. It is read without the schema, because a command that
 * only looks for a gateway would spend most of its time on loading that.
 */
function dataDirOfText({ text, directory }: FileText, environment: EnvironmentVariables): string {
  return dataDirOf(withOverrides(readYaml(text, environment).value ?? {}, environment), directory);
}

/**
 * The data folder of a file that need not be valid.
 *
 * @param file With the values of the environment.
 */
export function dataDirOf(file: unknown, directory: string): string {
  const { dataDir } = isObject(file) ? file : {};
  return resolve(directory, typeof dataDir === "string" && dataDir !== "" ? dataDir : defaultDataDir);
}
