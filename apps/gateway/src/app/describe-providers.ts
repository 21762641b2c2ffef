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
  const { name, title, settings, examples } = provider;
  const named = allKinds.map(({ type, trait }) => [type, [...(examples[trait] ?? [])]]);
  return {
    object: "provider",
    id: name,
    title,
    model_types: allKinds.flatMap(({ type, trait }) => (provider[trait] === undefined ? [] : [type])),
    settings: z.toJSONSchema(settings, { io: "input", target: "draft-2020-12" }),
    secret_settings: Object.keys(settings.shape).filter(isSecretKey),
    environment_variables: [],
    // One key for each kind, which the spec lists.
    example_models: Object.fromEntries(named) as Schemas["Provider"]["example_models"],
  };
}
