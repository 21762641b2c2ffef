import type { ModelType } from "@model-gateway/domain/operations";
import { isObject, withoutUndefined } from "@model-gateway/runtime/json";
import { addPath, readAddress } from "../addresses.js";
import type { PatternProvider } from "../expand-pattern.js";
import type { ImportReport } from "../import-report.js";
import { readSecret, readText } from "../values.js";
import type { UpstreamDraft } from "../write-gateway-file.js";

/** A key of a provider, with the settings that only such keys have. */
interface KeySource {
  /** The object under `azure_key_config` and the like, and its path. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** The start of the names of variables for its secrets. */
  readonly prefix: string;
  readonly report: ImportReport;
}

/** Maps one of Bifrost's providers to the gateway. */
export interface BifrostProvider extends PatternProvider {
  /** Another provider for a server at another address. */
  readonly providerWithBase?: string;
  /** The preset of `openai-compatible` to write. */
  readonly preset?: string;
  /** The address to write if the source has none, where the gateway's provider has no default. */
  readonly baseUrl?: string;
  /** The end of `baseUrl` that Bifrost adds itself. */
  readonly version?: string;
  /** Where a key has its settings, and how they are read. */
  readonly configKey?: string;
  readonly read?: (source: KeySource) => Readonly<Record<string, unknown>>;
  /** Settings of every target, by model type. */
  readonly targets?: { readonly [T in ModelType]?: Readonly<Record<string, unknown>> };
}

const compatible = "openai-compatible";
const embeddings: readonly ModelType[] = ["embedding"];
const images: readonly ModelType[] = ["image"];

/** A provider that is not listed is not imported. A new one is a line here. */
export const importedProviders: Readonly<Record<string, BifrostProvider>> = {
  openai: {
    provider: "openai",
    providerWithBase: compatible,
    version: "/v1",
    names: { embedding: ["text-embedding-*"], image: ["gpt-image-*", "dall-e-*"] },
  },
  azure: { provider: "azure", configKey: "azure_key_config", read: readAzure },
  bedrock: { provider: "bedrock", configKey: "bedrock_key_config", read: readBedrock },
  vertex: { provider: "vertex", configKey: "vertex_key_config", read: readVertex },
  gemini: { provider: "gemini", version: "/v1beta" },
  cohere: { provider: "cohere", version: "/v2", types: embeddings },
  mistral: { provider: "mistral", version: "/v1", types: embeddings },
  ollama: { provider: "ollama", types: embeddings, configKey: "ollama_key_config", read: readServer("") },
  replicate: { provider: "replicate", version: "/v1", types: images },
  vllm: { provider: compatible, configKey: "vllm_key_config", read: readServer("/v1") },
  sgl: { provider: compatible, configKey: "sgl_key_config", read: readServer("/v1") },
  openrouter: { provider: "openrouter", version: "/v1" },
  xai: { provider: "xai", version: "/v1", types: images },
  nebius: { provider: compatible, preset: "nebius", version: "/v1", types: embeddings },
  fireworks: { provider: compatible, preset: "fireworks", version: "/v1", types: embeddings },
};

/** Bifrost adds the version to an address; the gateway's setting includes it. */
export function withVersion(url: URL, version: string): string {
  if (url.pathname.replace(/\/+$/, "").endsWith(version)) return url.href;
  return version === "" ? url.href : `${addPath(url, "")}${version}`;
}

function readersOf({ config, path, prefix, report }: KeySource) {
  const placed = (key: string) => ({ place: `${path}.${key}`, report });
  return {
    text: (key: string) => readText(config[key], placed(key)),
    secret: (key: string, name: string) =>
      readSecret(config[key], { ...placed(key), variable: `${prefix}_${name}` }),
    address: (key: string, version: string) =>
      readAddress(config[key], {
        ...placed(key),
        variable: `${prefix}_BASE_URL`,
        written: (url) => withVersion(url, version),
      }),
  };
}

function readAzure(source: KeySource): Readonly<Record<string, unknown>> {
  const { text, secret, address } = readersOf(source);
  const { config, path, report } = source;
  if (config.api_version !== undefined)
    report.leaveOut(`${path}.api_version`, {
      why: "The gateway selects the API version of each operation itself",
      page: "upstreams/azure-openai.md",
    });
  const isEntra = config.client_secret !== undefined;
  return withoutUndefined({
    baseUrl: address("endpoint", ""),
    entra: isEntra
      ? {
          tenantId: text("tenant_id"),
          clientId: text("client_id"),
          clientSecret: secret("client_secret", "CLIENT_SECRET"),
        }
      : undefined,
  });
}

function readBedrock(source: KeySource): Readonly<Record<string, unknown>> {
  const { text, secret } = readersOf(source);
  const { config, path, report } = source;
  const arn = text("arn");
  const deployments = Object.entries(isObject(config.deployments) ? config.deployments : {});
  if (deployments.length > 0) report.imported(`${path}.deployments`);
  const profiles = deployments.map(([model, id]) => [model, arn === undefined ? id : `${arn}/${id}`]);
  return withoutUndefined({
    region: text("region"),
    accessKeyId: secret("access_key", "ACCESS_KEY_ID"),
    secretAccessKey: secret("secret_key", "SECRET_ACCESS_KEY"),
    sessionToken: secret("session_token", "SESSION_TOKEN"),
    role: readRole(source),
    inferenceProfiles: profiles.length === 0 ? undefined : Object.fromEntries(profiles),
  });
}

function readRole(source: KeySource): Readonly<Record<string, unknown>> | undefined {
  const { text } = readersOf(source);
  const arn = text("role_arn");
  if (arn === undefined) return undefined;
  return withoutUndefined({ arn, externalId: text("external_id"), sessionName: text("session_name") });
}

/** Bifrost has the content of the key file, or a variable with it. The gateway takes a path. */
function readVertex(source: KeySource): Readonly<Record<string, unknown>> {
  const { text } = readersOf(source);
  const { config, path, prefix, report } = source;
  const { auth_credentials: credentials } = config;
  const place = `${path}.auth_credentials`;
  const isGiven = typeof credentials === "string" && credentials !== "";
  if (isGiven) report.imported(place);
  const remark = "is a service account's key; save it as a file, and set the variable to its path";
  return withoutUndefined({
    project: text("project_id"),
    location: text("region"),
    credentialsFile: isGiven ? report.secret(`${prefix}_CREDENTIALS_FILE`, place, remark) : undefined,
  });
}

function readServer(version: string): (source: KeySource) => Readonly<Record<string, unknown>> {
  return (source) => withoutUndefined({ baseUrl: readersOf(source).address("url", version) });
}

/** Whether an upstream has all that it needs to be called. */
export function isComplete({ provider, preset, baseUrl, apiKey, entra }: UpstreamDraft): boolean {
  const needsAddress = (provider === compatible && preset === undefined) || provider === "azure";
  const needsKey = provider === "azure" && entra === undefined;
  return !(needsAddress && baseUrl === undefined) && !(needsKey && apiKey === undefined);
}
