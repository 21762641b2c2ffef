import { hash } from "node:crypto";
import { catalogueFileIn, openCatalogue } from "@model-gateway/catalogue/open-catalogue";
import {
  checkKeyNamesUnique,
  checkLinkSecretShared,
  checkModelsExist,
  checkOperatorsDiffer,
  checkProvenanceUpstream,
  checkUpstreamsExist,
  checkWorkersShareStorage,
} from "./checks.js";
import type { Config } from "./config.js";
import { ConfigError } from "./config-error.js";
import { dataDirOf, secretsFolderOf } from "./data-dir.js";
import { callerKeyVariable, isCallerKeyExported } from "./default-config.js";
import { type FileVersion, fileVersion } from "./files/file-version.js";
import { type ConfigSource, type FoundFile, findFile } from "./files/find-file.js";
import { checkProduct } from "./files/other-products.js";
import { parseFile } from "./files/parse-file.js";
import { readPemFiles } from "./files/pem-files.js";
import { type EnvironmentVariables, type Fault, readYaml, variablesIn } from "./files/read-yaml.js";
import { readSecretFiles } from "./files/secret-files.js";
import { checkKinds } from "./models/check-kinds.js";
import { checkAliasesUnique, checkDefaults } from "./models/check-names.js";
import { checkPassThrough, checkPatterns } from "./models/check-targets.js";
import { endWarnings } from "./models/end-warnings.js";
import { factsWarnings } from "./models/facts-warnings.js";
import { overriddenKeys, overrides, overridingVariable, withOverrides } from "./overrides.js";
import { resolveConfig } from "./resolve.js";
import { findSecrets } from "./secrets/find-secrets.js";
import { secretLengthMin } from "./secrets/secret-forms.js";
import { entriesWithoutSecrets, withoutSecrets } from "./without-secrets.js";

/** Reads the file, the environment and the defaults into one checked configuration. */
export function loadConfig(source: ConfigSource): Config {
  return checkFile(findFile(source), source);
}

interface FileCheck {
  /** Secrets that the text refers to, and that are about to be written to the secrets folder. */
  readonly pending?: ReadonlyMap<string, string>;
  /**
   * Whether the text came over the network. Its faults then quote no value of a variable, and do not say which files
   * there are.
   */
  readonly isRemote?: boolean;
}

/** Checks the text of a file, and resolves it. */
export function checkFile(
  file: FoundFile,
  source: ConfigSource,
  { pending, isRemote = false }: FileCheck = {},
): Config {
  const {
    environment,
    faults: secretFaults,
    files: secretFiles,
  } = readSecretFiles(source.environment, {
    names: [...Object.keys(overrides), ...variablesIn(file.text)],
    directory: source.workingDirectory,
    storedNames: new Set(variablesIn(file.text)),
    secretsFolder: () => secretsFolderOf(file, source.environment),
    pending,
    references: source.references,
  });
  const yaml = readYaml(file.text, environment);
  const pem = readPemFiles(yaml.value, { directory: file.directory, isRemote });
  const { value } = pem;
  const overridden = withOverrides(value, environment);
  const parsed = value === undefined ? undefined : parseFile(overridden);
  const { catalogue, warnings, catalogueFile } = catalogueIn(dataDirOf(overridden, file.directory));
  const otherProduct = checkProduct(value, file.name);
  const ownFaults = [
    ...secretFaults,
    ...yaml.faults,
    ...pem.faults,
    ...(parsed?.faults ?? []),
    ...checkUpstreamsExist(value),
    ...checkModelsExist(value),
    ...checkKinds(value, catalogue),
    ...checkAliasesUnique(value),
    ...checkDefaults(value, catalogue),
    ...checkPassThrough(value),
    ...checkPatterns(value),
    ...checkWorkersShareStorage(overridden),
    ...checkKeyNamesUnique(value),
    ...checkOperatorsDiffer(overridden),
    ...checkLinkSecretShared(overridden),
    ...checkProvenanceUpstream(value),
    // A value with an unset variable has its fault already.
  ].filter(({ path }) => path.length === 0 || !yaml.isUnset(path));
  // Nothing in another product's file is worth a correction.
  const faults = otherProduct.length > 0 ? otherProduct : ownFaults;
  if (faults.length > 0 || parsed?.data === undefined) {
    const shown = isRemote ? hideValues(faults, valuesOf(file.text, environment)) : faults;
    const located = shown.map((fault) => ({ ...fault, at: fault.at ?? yaml.locate(fault.path) }));
    throw new ConfigError(
      located.sort(byPosition).map((fault) =>
        describe(fault, {
          file,
          overriding: overridingVariable(fault.path, environment),
          variables: yaml.variablesAt(fault.path),
        }),
      ),
      located.map(({ path, message }) => ({ path, message })),
    );
  }
  const config = resolveConfig(parsed.data, {
    directory: file.directory,
    isFromEnvironment: (path) => yaml.variablesAt(path).length > 0,
    isPlainText: yaml.isPlainText,
    catalogue,
  });
  return {
    ...config,
    warnings: [
      ...yaml.warnings,
      ...pem.warnings,
      ...unusedCallerKey(config, file, source),
      ...warnings,
      ...config.warnings,
      ...factsWarnings(config.models.values(), catalogue.date),
      ...endWarnings(config.models.values(), Date.now()),
      ...(file.detection?.warnings ?? []),
    ],
    detected: (file.detection?.upstreams ?? []).map(({ source, name, models }) => ({
      source,
      upstream: name,
      models: Object.keys(models),
    })),
    files: new Map([...file.versions, ...pem.files, ...secretFiles, catalogueFile]),
    text: withoutSecrets(file.text, overriddenKeys(environment)),
    entries: entriesWithoutSecrets(file.text),
    secrets: findSecrets(overridden, {
      substitutions: yaml.substitutions,
      publicNames: namesOf(config),
    }),
    ...(file.path === undefined ? {} : { file: file.path, version: versionOf(file.text) }),
  };
}

/** The catalogue of the data folder, or the built-in one, with the version of the file that is watched. */
function catalogueIn(dataDir: string): ReturnType<typeof openCatalogue> & {
  readonly catalogueFile: [string, FileVersion];
} {
  const path = catalogueFileIn(dataDir);
  // Before the file is read: a change while it is read is noticed then.
  const catalogueFile: [string, FileVersion] = [path, fileVersion(path)];
  return { ...openCatalogue(dataDir), catalogueFile };
}

/** Without a file the variable counts by itself, so people expect the same once there is one. */
function unusedCallerKey(
  { keys }: Pick<Config, "keys">,
  { path, name }: FoundFile,
  { environment }: ConfigSource,
): string[] {
  if (path === undefined || keys.length > 0 || !isCallerKeyExported(environment)) return [];
  const line = `keys: [{ name: environment, key: "\${${callerKeyVariable}}" }]`;
  return [
    `${name} has no keys, so the value of ${callerKeyVariable} is not one of this gateway's API keys. To make it one, add this line to the file: ${line}`,
  ];
}

/** The values of the variables that a text refers to, by their names. */
function valuesOf(text: string, environment: EnvironmentVariables): [string, string][] {
  return variablesIn(text).flatMap((name) => {
    const value = environment[name] ?? "";
    return value.length < secretLengthMin ? [] : [[name, value] as [string, string]];
  });
}

/** The faults with a reference in the place of each value. */
function hideValues(faults: readonly Fault[], values: readonly [string, string][]): Fault[] {
  return faults.map((fault) => ({
    ...fault,
    message: values.reduce(
      (message, [name, value]) => message.replaceAll(value, () => `\${${name}}`),
      fault.message,
    ),
  }));
}

/** Identifies the text of a file. */
export function versionOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
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

interface FaultOrigin {
  readonly file: FoundFile;
  /** The environment variable that replaces the value in the file. */
  readonly overriding: string | undefined;
  /** The variables that the value in the file refers to. */
  readonly variables: readonly string[];
}

/** Names what the operator has written: a place in the file, or a variable where there is no file. */
function describe(
  { path: steps, message, at }: LocatedFault,
  { file, overriding, variables }: FaultOrigin,
): string {
  const variable = overriding ?? (file.path === undefined ? variables[0] : undefined);
  if (variable !== undefined) return `  the environment variable ${variable}: ${message}`;
  const position = at === undefined ? file.name : `${file.name}:${at.line}:${at.column}`;
  const path = describePath(steps);
  const origin = variables.length === 0 ? "" : `, from ${variables.join(" and ")}`;
  return `  ${position}  ${path === "" ? "" : `${path}${origin}: `}${message}`;
}

/** Such as `models.x.targets[0].upstream`. */
export function describePath(steps: readonly PropertyKey[]): string {
  return steps
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}
