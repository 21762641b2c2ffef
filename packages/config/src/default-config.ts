import { stringify } from "yaml";
import type { DetectedUpstream } from "./detect/detection.js";
import type { EnvironmentVariables } from "./files/read-yaml.js";

/** The variable whose value is the callers' key where there is no configuration file. */
export const callerKeyVariable = "GATEWAY_KEY";

/**
 * The built-in configuration. An exported GATEWAY_KEY is the callers' key, so that it outlives a restart.
 *
 * @param detected The upstreams that were found, whose models are offered beside those that need nothing.
 */
export function builtInConfig(
  environment: EnvironmentVariables,
  detected: readonly DetectedUpstream[] = [],
): string {
  const keys = `keys: [{ name: environment, key: "\${${callerKeyVariable}}" }]\n`;
  return `${isCallerKeyExported(environment) ? keys : ""}${configWith(detected)}`;
}

export function isCallerKeyExported(environment: EnvironmentVariables): boolean {
  return [callerKeyVariable, `${callerKeyVariable}_FILE`].some(
    (variable) => (environment[variable] ?? "") !== "",
  );
}

const localUpstream = `
upstreams:
  local: { provider: local }
`;

const localModels = `models:
  gte-small:
    type: embedding
    description: English sentence embeddings (gte-small, int8) that run inside the gateway.
    dimensions: 384
    maxTokens: 512
    clientTokenizer: cl100k_base
    targets:
      - { upstream: local, model: gte-small }
  all-MiniLM-L6-v2:
    type: embedding
    description: Smaller, faster English sentence embeddings (all-MiniLM-L6-v2, int8) that run inside the gateway.
    dimensions: 384
    maxTokens: 256
    clientTokenizer: cl100k_base
    targets:
      - { upstream: local, model: all-MiniLM-L6-v2 }
  local-sketch:
    type: image
    description: Clip-art composed from the words of the prompt. It runs inside the gateway and is not a generative model.
    targets:
      - { upstream: local, model: local-sketch }
`;

/** The ids in it. */
export const builtInModels: readonly string[] = ["gte-small", "all-MiniLM-L6-v2", "local-sketch"];

/** Used when there is no configuration file: the models that need no key, no account and no network. */
export const defaultConfig = configWith([]);

/** The upstreams and models of a configuration, each with a comment that names the source. */
export function configWith(detected: readonly DetectedUpstream[]): string {
  const offering = detected.filter(({ models }) => Object.keys(models).length > 0);
  const upstreams = offering.map(({ source, name, settings }) => section(source, { [name]: settings }));
  const models = offering.map(({ source, models: own }) => section(source, own));
  return `${localUpstream}${upstreams.join("")}${localModels}${models.join("")}`;
}

/** Indented by one level, below a comment. */
function section(comment: string, content: object): string {
  const lines = stringify(content, { lineWidth: 0 }).trimEnd().split("\n");
  return [`# ${comment}`, ...lines].map((line) => `  ${line}\n`).join("");
}
