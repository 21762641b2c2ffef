import type { ModelType } from "../../operations.js";

/** Maps one of LiteLLM's providers to the gateway. */
export interface CarriedProvider {
  /** The gateway's provider. */
  readonly provider: string;
  /** Another provider for a self-hosted server, which `api_base` names. */
  readonly providerWithBase?: string;
  /** The gateway's provider has a default address, so none is written if the source has no `api_base`. */
  readonly knowsAddress?: true;
  /** The address to write if the source has no `api_base`. */
  readonly baseUrl?: string;
  /** The variables that LiteLLM reads if the source has no `api_key` or no `api_base`. */
  readonly keyVariable?: string;
  readonly baseVariable?: string;
  /** The types of models that are carried over. Default: all. */
  readonly types?: readonly ModelType[];
  /** Settings of every target, by model type. */
  readonly targets?: { readonly [T in ModelType]?: Readonly<Record<string, unknown>> };
  /** LiteLLM parameters that the gateway does not need. */
  readonly unneeded?: readonly string[];
}

const compatible = "openai-compatible";
const embeddings: readonly ModelType[] = ["embedding"];

/** A provider that is not listed is not carried over. A new one is a line here. */
export const carriedProviders: Readonly<Record<string, CarriedProvider>> = {
  openai: {
    provider: "openai",
    knowsAddress: true,
    providerWithBase: compatible,
    keyVariable: "OPENAI_API_KEY",
  },
  openai_like: { provider: compatible },
  custom_openai: { provider: compatible },
  litellm_proxy: {
    provider: compatible,
    keyVariable: "LITELLM_PROXY_API_KEY",
    baseVariable: "LITELLM_PROXY_API_BASE",
  },
  hosted_vllm: { provider: compatible, baseVariable: "HOSTED_VLLM_API_BASE" },
  xinference: { provider: compatible, baseVariable: "XINFERENCE_API_BASE" },
  infinity: { provider: compatible, baseVariable: "INFINITY_API_BASE", types: embeddings },
  lm_studio: { provider: compatible, baseVariable: "LM_STUDIO_API_BASE" },
  llamafile: { provider: compatible, baseUrl: "http://127.0.0.1:8080/v1" },
  ollama: { provider: "ollama", knowsAddress: true, types: embeddings },
  together_ai: {
    provider: compatible,
    baseUrl: "https://api.together.xyz/v1",
    keyVariable: "TOGETHERAI_API_KEY",
    targets: { embedding: { encoding: "none" } },
  },
  deepinfra: {
    provider: compatible,
    baseUrl: "https://api.deepinfra.com/v1/openai",
    keyVariable: "DEEPINFRA_API_KEY",
    targets: { embedding: { encoding: "float" } },
  },
  fireworks_ai: {
    provider: compatible,
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_AI_API_KEY",
    types: embeddings,
    targets: { embedding: { encoding: "float" } },
  },
  mistral: { provider: "mistral", knowsAddress: true, keyVariable: "MISTRAL_API_KEY", types: embeddings },
  voyage: { provider: "voyage", knowsAddress: true, keyVariable: "VOYAGE_API_KEY", types: embeddings },
  jina_ai: { provider: "jina", knowsAddress: true, keyVariable: "JINA_AI_API_KEY", types: embeddings },
  gemini: { provider: "gemini", knowsAddress: true, keyVariable: "GEMINI_API_KEY", types: embeddings },
  azure: {
    provider: "azure",
    keyVariable: "AZURE_API_KEY",
    baseVariable: "AZURE_API_BASE",
    types: embeddings,
    unneeded: ["api_version"],
  },
};

/** A model of the source: the provider, and the model's name there. */
export interface ProviderModel {
  readonly provider: string;
  readonly name: string;
}

/** LiteLLM writes `provider/name`, or only a name for OpenAI's own models. */
export function splitModel(model: string, named: string | undefined): ProviderModel {
  const slash = model.indexOf("/");
  const prefix = slash === -1 ? undefined : model.slice(0, slash);
  if (named !== undefined)
    return { provider: named, name: prefix === named ? model.slice(slash + 1) : model };
  return prefix === undefined
    ? { provider: "openai", name: model }
    : { provider: prefix, name: model.slice(slash + 1) };
}
