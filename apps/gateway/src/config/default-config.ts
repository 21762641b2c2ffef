import type { EnvironmentVariables } from "./files/read-yaml.js";

/** The variable whose value is the callers' key where there is no configuration file. */
export const callerKeyVariable = "GATEWAY_KEY";

/** The built-in configuration. An exported GATEWAY_KEY is the callers' key, so that it outlives a restart. */
export function builtInConfig(environment: EnvironmentVariables): string {
  const isExported = [callerKeyVariable, `${callerKeyVariable}_FILE`].some(
    (variable) => (environment[variable] ?? "") !== "",
  );
  return isExported
    ? `keys: [{ name: environment, key: "\${${callerKeyVariable}}" }]\n${defaultConfig}`
    : defaultConfig;
}

/** Used when there is no configuration file: the models that need no key, no account and no network. */
export const defaultConfig = `
upstreams:
  local: { provider: local }
models:
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
