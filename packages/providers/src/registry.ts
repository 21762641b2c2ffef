import type { Upstream } from "@model-gateway/domain/model";
import { isObject } from "@model-gateway/runtime/json";
import { z } from "zod";
import { arkProvider } from "./ark/ark.js";
import { automatic1111Provider } from "./automatic1111/automatic1111.js";
import { azureProvider } from "./azure/azure.js";
import { bedrockProvider } from "./bedrock/bedrock.js";
import { bflProvider } from "./bfl/bfl.js";
import { cohereProvider } from "./cohere/cohere.js";
import { dashScopeProvider } from "./dashscope/dashscope.js";
import { falProvider } from "./fal/fal.js";
import { geminiProvider } from "./gemini/gemini.js";
import { ideogramProvider } from "./ideogram/ideogram.js";
import { jinaProvider } from "./jina/jina.js";
import { localProvider } from "./local/provider.js";
import { mistralProvider } from "./mistral/mistral.js";
import { ollamaProvider } from "./ollama/ollama.js";
import { openAiProvider } from "./openai/openai.js";
import { openAiCompatibleProvider } from "./openai-compatible/openai-compatible.js";
import { openRouterProvider } from "./openrouter/openrouter.js";
import type { ModelNames, OpenProvider, Provider, ProviderTools } from "./provider.js";
import { recraftProvider } from "./recraft/recraft.js";
import { replicateProvider } from "./replicate/replicate.js";
import { stabilityProvider } from "./stability/stability.js";
import { teiProvider } from "./tei/tei.js";
import { togetherProvider } from "./together/together.js";
import { vertexProvider } from "./vertex/vertex.js";
import { voyageProvider } from "./voyage/voyage.js";
import { xaiProvider } from "./xai/xai.js";

/** All providers. A new one is a folder and a line here. */
export const providers: readonly [Provider, ...Provider[]] = [
  openAiProvider,
  openAiCompatibleProvider,
  mistralProvider,
  voyageProvider,
  cohereProvider,
  azureProvider,
  jinaProvider,
  ollamaProvider,
  teiProvider,
  geminiProvider,
  vertexProvider,
  bedrockProvider,
  localProvider,
  stabilityProvider,
  automatic1111Provider,
  bflProvider,
  replicateProvider,
  falProvider,
  openRouterProvider,
  xaiProvider,
  dashScopeProvider,
  arkProvider,
  togetherProvider,
  ideogramProvider,
  recraftProvider,
];

const byName: ReadonlyMap<string, Provider> = new Map(providers.map((one) => [one.name, one]));

const [{ settings: first }, ...others] = providers;

/** An upstream as an operator writes it: the settings of one provider. */
export const upstreamSchema = z.discriminatedUnion("provider", [
  first,
  ...others.map(({ settings }) => settings),
]);

/** @param directory Relative paths in the settings start here. */
export function describeUpstream(
  name: string,
  settings: z.output<typeof upstreamSchema>,
  directory: string,
): Upstream {
  const { name: provider, genAiName, defaults, describe } = providerOf(String(settings.provider));
  const { timeoutMs } = defaults;
  return {
    name,
    provider,
    ...(genAiName === undefined ? {} : { genAiProvider: genAiName }),
    ...describe(settings, directory),
    ...(timeoutMs === undefined ? {} : { defaultTimeoutsMs: timeoutMs }),
  };
}

/** Undefined for a name that the configuration's schema refuses. */
export function findProvider(name: string): Provider | undefined {
  return byName.get(name);
}

export function providerOf(name: string): Provider {
  const provider = findProvider(name);
  if (provider === undefined) throw new Error(`There is no provider ${name}.`);
  return provider;
}

/**
 * The models at an upstream, if they are known without asking it.
 *
 * @param settings Of any shape: they may not be checked yet.
 */
export function modelsOf(settings: Readonly<Record<string, unknown>>): ModelNames | undefined {
  return byName.get(String(settings.provider))?.models?.(settings);
}

/**
 * The name of a model in the catalogue, if it is not the upstream's.
 *
 * @param settings Of any shape: they may not be checked yet.
 */
export function nameInCatalogue(
  model: string,
  { provider, settings }: Pick<Upstream, "provider" | "settings">,
): string | undefined {
  const given = isObject(settings) ? settings : {};
  return byName.get(provider)?.nameInCatalogue?.(model, given);
}

export function openUpstream(upstream: Upstream, tools: ProviderTools): Promise<OpenProvider> {
  return providerOf(upstream.provider).open(upstream, tools);
}
