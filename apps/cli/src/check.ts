import type { Config } from "@model-gateway/config/config";
import { detectWithoutFile } from "@model-gateway/config/detect/detect";
import type { EnvironmentVariables } from "@model-gateway/config/files/read-yaml";
import { loadConfig } from "@model-gateway/config/load-config";
import { FetchedSecrets } from "@model-gateway/config/references/fetched-secrets";
import { typedCommand } from "@model-gateway/domain/typed-command";
import type { CredentialTools } from "@model-gateway/providers/http/credentials/token-credential";

/** The parts of the process that a command may use. */
export interface CommandPlace {
  readonly environment: EnvironmentVariables;
  readonly workingDirectory: string;
}

interface CheckPlace extends CommandPlace {
  readonly detects: boolean;
  /** For stores of secrets. */
  readonly tools: CredentialTools;
}

/**
 * Checks a configuration file without starting, and summarises it. Without a file, it shows the built-in configuration
 * with the upstreams that were found. Throws a `ConfigError` with every fault.
 */
export async function checkConfig(
  file: string | undefined,
  { detects, tools, ...place }: CheckPlace,
): Promise<string> {
  const references = new FetchedSecrets(tools);
  const source = { ...place, ...(file === undefined ? {} : { path: file }), references };
  await references.fetch(source);
  const detection = await detectWithoutFile(source, { isOff: !detects });
  return summarise(loadConfig({ ...source, detection }));
}

function summarise({ file, upstreams, models, keys, warnings, detected }: Config): string {
  const upstreamLines = [...upstreams.values()].map(
    ({ name, provider, baseUrl }) =>
      `  ${name}: ${provider}${baseUrl === undefined ? "" : `, ${address(baseUrl)}`}`,
  );
  const modelLines = [...models.values()].map(
    ({ id, type, targets }) => `  ${id}: ${type}, ${targets.map(({ upstream }) => upstream).join(" and ")}`,
  );
  return `${[
    `OK: ${file ?? "the built-in configuration"}`,
    ...(detected.length === 0 ? [] : ["found"]),
    ...detected.map(({ source, models: ids }) => `  ${source}: ${count(ids.length, "model")}`),
    `${count(upstreams.size, "upstream")}`,
    ...upstreamLines,
    `${count(models.size, "model")}`,
    ...modelLines,
    keys.length === 0 ? withoutKeys(file) : `${count(keys.length, "key")}`,
    ...(warnings.length === 0 ? [] : [count(warnings.length, "warning")]),
    ...warnings.map((warning) => `  ${warning}`),
  ].join("\n")}\n`;
}

/** A file may do without: the database keeps the keys that operators create. */
function withoutKeys(file: string | undefined): string {
  return file === undefined
    ? "no key: each start creates one and prints it"
    : `no key in the file; ${typedCommand("keys create <name>")} creates one while the gateway runs`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Without a password or a query. */
function address(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
