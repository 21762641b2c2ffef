import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import { allKinds } from "@model-gateway/config/kinds/kinds";
import { knownModels } from "@model-gateway/config/models/offered-models";
import { isSecretKey } from "@model-gateway/config/secrets/find-secrets";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Provider, ProviderPreset, ProviderTraits } from "@model-gateway/providers/provider";
import { providers } from "@model-gateway/providers/registry";
import { z } from "zod";

/** Every provider, with the JSON Schema of its settings. */
export function describeProviders(catalogue: Catalogue): Schemas["Provider"][] {
  return providers.map((provider) => describe(provider, catalogue));
}

function describe(provider: Provider, catalogue: Catalogue): Schemas["Provider"] {
  const { name, title, settings, environment } = provider;
  const secretSettings = Object.keys(settings.shape).filter(isSecretKey);
  return {
    object: "provider",
    id: name,
    title,
    model_types: typesOf(provider),
    settings: z.toJSONSchema(settings, { io: "input", target: "draft-2020-12" }),
    secret_settings: secretSettings,
    environment_variables: secretSettings.flatMap((key) => [
      ...(environment?.settings[key]?.variables ?? []),
    ]),
    // One key for each kind, which the spec lists.
    example_models: Object.fromEntries(
      allKinds.map(({ type }) => [type, knownModels(provider, type, catalogue)]),
    ) as Schemas["Provider"]["example_models"],
    presets: (provider.presets ?? []).map((preset) => describePreset(preset, provider)),
  };
}

function describePreset(preset: ProviderPreset, provider: Provider): Schemas["ProviderPreset"] {
  const { name, title, baseUrl = null, isKeyRequired, keyVariables } = preset;
  const lacking = provider.lacks?.({ preset: name }) ?? [];
  return {
    id: name,
    title,
    model_types: typesOf(provider, lacking),
    base_url: baseUrl,
    key_required: isKeyRequired,
    environment_variables: [...keyVariables],
  };
}

function typesOf(
  provider: Provider,
  lacking: readonly (keyof ProviderTraits)[] = [],
): Schemas["Provider"]["model_types"] {
  return allKinds.flatMap(({ type, trait }) =>
    provider[trait] === undefined || lacking.includes(trait) ? [] : [type],
  );
}
