import { z } from "zod";
import { allKinds } from "../models/kinds/kinds.js";
import type { Schemas } from "../operations.js";
import type { ProviderFacts } from "../providers/provider.js";
import { providers } from "../providers/registry.js";
import { isSecretKey } from "../secrets/find-secrets.js";

/** Every provider, with the JSON Schema of its settings. */
export function describeProviders(): Schemas["Provider"][] {
  return providers.map(describe);
}

function describe(provider: ProviderFacts): Schemas["Provider"] {
  const { name, title, settings, environment } = provider;
  const secretSettings = Object.keys(settings.shape).filter(isSecretKey);
  return {
    object: "provider",
    id: name,
    title,
    model_types: allKinds.flatMap(({ type, trait }) => (provider[trait] === undefined ? [] : [type])),
    settings: z.toJSONSchema(settings, { io: "input", target: "draft-2020-12" }),
    secret_settings: secretSettings,
    environment_variables: secretSettings.flatMap((key) => [
      ...(environment?.settings[key]?.variables ?? []),
    ]),
    // One key for each kind, which the spec lists.
    example_models: Object.fromEntries(
      allKinds.map((kind) => [kind.type, exampleModels(provider, kind)]),
    ) as Schemas["Provider"]["example_models"],
  };
}

/** The current models of a provider, by their names at its upstreams; else those that the docs show. */
function exampleModels(
  { environment, examples }: ProviderFacts,
  { type, trait }: (typeof allKinds)[number],
): string[] {
  const offered = Object.entries(environment?.models({})[type] ?? {}).map(([id, { model = id }]) => model);
  const names = offered.filter((model) => !model.includes("*"));
  // Where any model will do, the docs say so in words.
  return names.length > 0 ? names : (examples[trait]?.filter((one) => !/\s/.test(one)) ?? []);
}
