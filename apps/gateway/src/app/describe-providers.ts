import { z } from "zod";
import type { Catalogue } from "../catalogue/catalogue.js";
import { allKinds } from "../models/kinds/kinds.js";
import { knownModels } from "../models/offered-models.js";
import type { Schemas } from "../operations.js";
import type { Provider } from "../providers/provider.js";
import { providers } from "../providers/registry.js";
import { isSecretKey } from "../secrets/find-secrets.js";

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
    model_types: allKinds.flatMap(({ type, trait }) => (provider[trait] === undefined ? [] : [type])),
    settings: z.toJSONSchema(settings, { io: "input", target: "draft-2020-12" }),
    secret_settings: secretSettings,
    environment_variables: secretSettings.flatMap((key) => [
      ...(environment?.settings[key]?.variables ?? []),
    ]),
    // One key for each kind, which the spec lists.
    example_models: Object.fromEntries(
      allKinds.map(({ type }) => [type, knownModels(provider, type, catalogue)]),
    ) as Schemas["Provider"]["example_models"],
  };
}
