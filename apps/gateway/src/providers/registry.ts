import { z } from "zod";
import type { Upstream } from "../domain/model.js";
import { localProvider } from "./local/provider.js";
import { openAiCompatibleProvider, openAiProvider } from "./openai/openai.js";
import type { OpenProvider, Provider, ProviderDefaults, ProviderTools } from "./provider.js";

/** All providers. A new one is a folder and a line here. */
const providers = [openAiProvider, openAiCompatibleProvider, localProvider] as const satisfies Provider[];

const byName: ReadonlyMap<string, Provider> = new Map(providers.map((one) => [one.name, one]));

/** An upstream as an operator writes it: the settings of one of the providers. */
export const upstreamSchema = z.discriminatedUnion("provider", [
  openAiProvider.settings,
  ...[openAiCompatibleProvider, localProvider].map(({ settings }) => settings),
]);

/** @param directory Relative paths in the settings start here. */
export function describeUpstream(
  name: string,
  settings: z.output<typeof upstreamSchema>,
  directory: string,
): Upstream {
  const provider = providerOf(String(settings.provider));
  return { name, provider: provider.name, ...provider.describe(settings, directory) };
}

export function isProvider(name: string): boolean {
  return byName.has(name);
}

export function defaultsOf(providerName: string): ProviderDefaults {
  return providerOf(providerName).defaults;
}

export function openUpstream(upstream: Upstream, tools: ProviderTools): Promise<OpenProvider> {
  return providerOf(upstream.provider).open(upstream, tools);
}

function providerOf(name: string): Provider {
  const provider = byName.get(name);
  if (provider === undefined) throw new Error(`There is no provider ${name}.`);
  return provider;
}
