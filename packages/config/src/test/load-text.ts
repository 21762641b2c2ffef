import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providers } from "@model-gateway/providers/registry";
import type { Config } from "../config.js";
import { ConfigError } from "../config-error.js";
import type { EnvironmentVariables } from "../files/read-yaml.js";
import { loadConfig } from "../load-config.js";

/** As a message lists them. */
export const providerNames = providers.map(({ name }) => name).join(", ");

/** The smallest valid file. */
export const minimal = `
upstreams: { local: { provider: local } }
models: { m: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }
`;

/** Loads the text of a file. */
export function load(text: string, environment: EnvironmentVariables = {}): Config {
  const folder = mkdtempSync(join(tmpdir(), "config-"));
  writeFileSync(join(folder, "gateway.yaml"), text);
  return loadConfig({ environment, workingDirectory: folder });
}

/** The faults in the text of a file. */
export function faultsOf(text: string, environment: EnvironmentVariables = {}): string[] {
  try {
    load(text, environment);
  } catch (failure) {
    if (failure instanceof ConfigError) return failure.faults.map((fault) => fault.trim());
    throw failure;
  }
  return [];
}
