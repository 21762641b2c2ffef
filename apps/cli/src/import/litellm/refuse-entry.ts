import type { ModelType } from "@model-gateway/domain/operations";
import type { Omission } from "../import-report.js";
import type { EntryParameters } from "./cloud-upstreams.js";
import type { LitellmProvider } from "./providers.js";

interface RefusableEntry {
  readonly mode: unknown;
  /** Undefined: neither its mode nor its name is that of a model that the gateway serves. */
  readonly type: ModelType | undefined;
  readonly provider: LitellmProvider | undefined;
  readonly providerName: string;
  readonly name: string;
  readonly parameters: EntryParameters;
}

const movingPage = "guides/moving-from-litellm.md";
const providersPage = "upstreams/providers.md";

/** Why an entry of `model_list` cannot be imported; undefined if it can. */
export function refuseEntry(entry: RefusableEntry): Omission | undefined {
  const { mode, type, provider, providerName, name, parameters } = entry;
  const isPattern = name.includes("*");
  if (type === undefined && (!isPattern || typeof mode === "string")) return notServed(mode);
  if (provider === undefined)
    return {
      why: `The gateway has no provider for ${providerName}`,
      page: unknownProviders[providerName] ?? providersPage,
    };
  if (type !== undefined && provider.types !== undefined && !provider.types.includes(type))
    return { why: `The gateway cannot serve ${type} models of ${providerName}`, page: providersPage };
  if (!isPattern && provider.nameOf !== undefined && provider.nameOf(name) === undefined)
    return { why: `The gateway cannot call this model of ${providerName}`, page: providersPage };
  return parameters.values.weight === 0 ? { why: "Its weight is 0, so it gets no requests" } : undefined;
}

/** Providers of whose models only some are in OpenAI's form. */
const unknownProviders: Readonly<Record<string, string>> = {
  xai: "upstreams/openai-compatible-servers.md",
  azure_ai: "upstreams/openai-compatible-servers.md",
};

function notServed(mode: unknown): Omission {
  return mode === undefined || mode === null
    ? {
        why: "By their names these are chat models, which the gateway does not serve; if one creates vectors or images, set model_info.mode and import again",
        page: movingPage,
      }
    : { why: "The gateway serves embedding and image models only", page: movingPage };
}
