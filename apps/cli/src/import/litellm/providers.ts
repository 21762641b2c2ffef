import type { ModelType } from "@model-gateway/domain/operations";
import type { JsonObject } from "@model-gateway/runtime/json";
import { addPath, withoutPath } from "../addresses.js";
import type { PatternProvider } from "../expand-pattern.js";
import {
  azureUpstream,
  bedrockUpstream,
  type ProviderUpstream,
  prepareBedrock,
  vertexUpstream,
} from "./cloud-upstreams.js";

/** Maps one of LiteLLM's providers to the gateway. */
export interface LitellmProvider extends PatternProvider {
  /** Another provider for a self-hosted server, which `api_base` names. */
  readonly providerWithBase?: string;
  /** The gateway's provider has a default address, so none is written if the source has no `api_base`. */
  readonly knowsAddress?: true;
  /** The preset of `openai-compatible` to write. */
  readonly preset?: string;
  /** The address to write if the source has no `api_base`. */
  readonly baseUrl?: string;
  /** Changes an `api_base` to the form of the gateway's `baseUrl`. */
  readonly address?: (url: URL) => string;
  /** The variables that LiteLLM reads if the source has no `api_key` or no `api_base`. */
  readonly keyVariable?: string;
  readonly baseVariable?: string;
  /** The type of all its models, whatever their names. */
  readonly only?: ModelType;
  /** Settings of every target, by model type. */
  readonly targets?: { readonly [T in ModelType]?: JsonObject };
  /** Settings of every model, by model type. */
  readonly models?: { readonly [T in ModelType]?: JsonObject };
  /** The gateway's name of a model; undefined for a model that it cannot serve. */
  readonly nameOf?: (name: string) => string | undefined;
  /** The same for names that carry parameters. */
  readonly prepare?: typeof prepareBedrock;
  /** Settings of its upstreams beyond address, key and timeout. */
  readonly upstream?: ProviderUpstream;
  /** A sentence above each of its models, by their parameters. */
  readonly remark?: (parameters: JsonObject) => string | undefined;
}

const compatible = "openai-compatible";
const embeddings: readonly ModelType[] = ["embedding"];
const images: readonly ModelType[] = ["image"];

/** A service that the gateway knows by name: its address and its differences. */
function preset(name: string, keyVariable: string, more: Partial<LitellmProvider> = {}): LitellmProvider {
  return { provider: compatible, preset: name, knowsAddress: true, keyVariable, types: embeddings, ...more };
}

/** A service that speaks OpenAI's dialect for embeddings, at a public address. */
function service(baseUrl: string, keyVariable: string, more: Partial<LitellmProvider> = {}): LitellmProvider {
  return { provider: compatible, baseUrl, keyVariable, types: embeddings, ...more };
}

/** A server of one's own that speaks OpenAI's dialect. Without a key, none is sent. */
function server(baseVariable: string, more: Partial<LitellmProvider> = {}): LitellmProvider {
  return { provider: compatible, baseVariable, ...more };
}

/** A provider that has its own folder here, with a default address. */
function own(provider: string, keyVariable: string, more: Partial<LitellmProvider> = {}): LitellmProvider {
  return { provider, knowsAddress: true, keyVariable, types: embeddings, ...more };
}

const cohere = own("cohere", "COHERE_API_KEY", {
  address: (url) => withoutPath(url, /\/embed$/).replace(/\/v1$/, "/v2"),
});
const vertex: LitellmProvider = {
  provider: "vertex",
  knowsAddress: true,
  upstream: vertexUpstream,
  remark: ({ vertex_credentials: credentials }) =>
    credentials === undefined
      ? "LiteLLM uses GOOGLE_APPLICATION_CREDENTIALS here. The gateway asks the machine's metadata server: elsewhere, set credentialsFile at the upstream."
      : undefined,
  address: (url) => addPath(url, "/v1"),
  nameOf: (name) => (/^imagen|^imagegeneration/.test(name) ? undefined : name),
};

/** A provider that is not listed is not imported. A new one is a line here. */
export const importedProviders: Readonly<Record<string, LitellmProvider>> = {
  openai: own("openai", "OPENAI_API_KEY", {
    providerWithBase: compatible,
    types: ["embedding", "image"],
    address: (url) => withoutPath(url, /\/embeddings$/),
    names: { embedding: ["text-embedding-*"], image: ["gpt-image-*", "dall-e-*"] },
  }),
  azure: {
    provider: "azure",
    keyVariable: "AZURE_API_KEY",
    baseVariable: "AZURE_API_BASE",
    address: (url) => withoutPath(url, /\/openai(\/.*)?$/),
    upstream: azureUpstream,
  },
  bedrock: {
    provider: "bedrock",
    knowsAddress: true,
    upstream: bedrockUpstream,
    prepare: prepareBedrock,
  },
  vertex_ai: vertex,
  vertex_ai_beta: vertex,
  gemini: own("gemini", "GEMINI_API_KEY", {
    types: ["embedding", "image"],
    address: (url) => addPath(url, "/v1beta"),
    nameOf: vertex.nameOf ?? ((name) => name),
  }),
  cohere,
  cohere_chat: cohere,
  voyage: own("voyage", "VOYAGE_API_KEY", {
    only: "embedding",
    address: (url) => withoutPath(url, /\/embeddings$/),
  }),
  jina_ai: own("jina", "JINA_AI_API_KEY", {
    only: "embedding",
    address: (url) => withoutPath(url, /\/embeddings$/),
  }),
  mistral: own("mistral", "MISTRAL_API_KEY"),
  ollama: {
    provider: "ollama",
    knowsAddress: true,
    types: embeddings,
    address: (url) => withoutPath(url, /\/api(\/.*)?$/),
  },
  huggingface: {
    provider: "tei",
    types: embeddings,
    address: (url) => withoutPath(url, /\/embed$/),
    baseVariable: "HUGGINGFACE_API_BASE",
    remark: () =>
      "The gateway expects text-embeddings-inference at this address, which Hugging Face's endpoints for embeddings run.",
  },
  stability: own("stability", "STABILITY_API_KEY", {
    types: images,
    only: "image",
    address: (url) => addPath(url, "/v2beta"),
    nameOf: (name) => /^(?:stable-image-)?(core|ultra|inpaint|sd3.*)$/.exec(name)?.[1],
  }),
  black_forest_labs: own("bfl", "BFL_API_KEY", {
    types: images,
    only: "image",
    address: (url) => addPath(url, "/v1"),
    nameOf: (name) =>
      /^flux-(pro|dev|2-|kontext-)/.test(name) && !name.includes("expand") ? name : undefined,
  }),
  replicate: own("replicate", "REPLICATE_API_KEY", { types: images }),
  fal_ai: own("fal", "FAL_AI_API_KEY", {
    types: images,
    only: "image",
    // LiteLLM waits at another host; the gateway uses the queue.
    address: (url) => (url.host === "fal.run" ? "https://queue.fal.run" : url.href),
  }),
  openrouter: own("openrouter", "OPENROUTER_API_KEY", { types: ["embedding", "image"] }),
  xai: own("xai", "XAI_API_KEY", { types: images }),
  recraft: own("recraft", "RECRAFT_API_KEY", {
    types: images,
    only: "image",
    address: (url) => addPath(url, "/v1"),
  }),
  openai_like: server("OPENAI_LIKE_API_BASE"),
  custom_openai: server("OPENAI_API_BASE"),
  litellm_proxy: server("LITELLM_PROXY_API_BASE", { keyVariable: "LITELLM_PROXY_API_KEY" }),
  hosted_vllm: server("HOSTED_VLLM_API_BASE"),
  xinference: server("XINFERENCE_API_BASE"),
  infinity: server("INFINITY_API_BASE", { types: embeddings, only: "embedding", preset: "infinity" }),
  lm_studio: server("LM_STUDIO_API_BASE", { types: embeddings, preset: "lm-studio" }),
  docker_model_runner: server("DOCKER_MODEL_RUNNER_API_BASE", { types: embeddings }),
  databricks: server("DATABRICKS_API_BASE", {
    types: embeddings,
    keyVariable: "DATABRICKS_API_KEY",
    preset: "databricks",
  }),
  llamafile: { provider: compatible, baseUrl: "http://127.0.0.1:8080/v1", types: embeddings },
  together_ai: own("together", "TOGETHERAI_API_KEY", { types: ["embedding", "image"] }),
  deepinfra: preset("deepinfra", "DEEPINFRA_API_KEY"),
  fireworks_ai: preset("fireworks", "FIREWORKS_AI_API_KEY"),
  nvidia_nim: preset("nvidia", "NVIDIA_NIM_API_KEY", {
    models: { embedding: { inputType: "document" } },
    remark: () =>
      "Requests without input_type are for documents. Callers who search must send input_type: query.",
  }),
  nebius: preset("nebius", "NEBIUS_API_KEY"),
  novita: service("https://api.novita.ai/v3/openai", "NOVITA_API_KEY"),
  scaleway: preset("scaleway", "SCW_SECRET_KEY"),
  sambanova: service("https://api.sambanova.ai/v1", "SAMBANOVA_API_KEY"),
  vercel_ai_gateway: service("https://ai-gateway.vercel.sh/v1", "VERCEL_AI_GATEWAY_API_KEY"),
  github: service("https://models.inference.ai.azure.com", "GITHUB_API_KEY"),
  volcengine: own("ark", "VOLCENGINE_API_KEY", { types: ["embedding", "image"] }),
  dashscope: own("dashscope", "DASHSCOPE_API_KEY", {
    types: ["embedding", "image"],
    address: (url) => withoutPath(url, /\/(api|compatible-mode)\/v1$/),
  }),
};

/** A model of the source: the provider, and the model's name there. */
interface ProviderModel {
  readonly provider: string;
  readonly name: string;
}

/** The providers of models that LiteLLM recognises by their names alone. */
const bareNames: readonly (readonly [RegExp, string])[] = [
  [/^(\w+\.)?(amazon|cohere|stability)\./, "bedrock"],
  [/^embed-/, "cohere"],
  [/^gemini-embedding|^text-(multilingual-)?embedding-00|^textembedding-gecko/, "vertex_ai"],
  [/^voyage-/, "voyage"],
];

/** LiteLLM writes `provider/name`, or only a name for models that it knows. */
export function splitModel(model: string, named: string | undefined): ProviderModel {
  const slash = model.indexOf("/");
  const prefix = slash === -1 ? undefined : model.slice(0, slash);
  if (named !== undefined)
    return { provider: named, name: prefix === named ? model.slice(slash + 1) : model };
  if (prefix !== undefined) return { provider: prefix, name: model.slice(slash + 1) };
  const provider = bareNames.find(([names]) => names.test(model))?.[1] ?? "openai";
  return { provider, name: model };
}
