import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import type { CatalogueRow } from "@model-gateway/catalogue/catalogue-file";
import type { ModelType } from "@model-gateway/domain/operations";
import { matchesWildcard } from "@model-gateway/domain/wildcard";
import type { OfferedModel, OfferedModels } from "@model-gateway/providers/detection";
import type { ModelAt, Provider } from "@model-gateway/providers/provider";
import type { JsonObject } from "@model-gateway/runtime/json";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { profileOf } from "../kinds/image/resolve.js";
import { allKinds } from "../kinds/kinds.js";
import { modelAt } from "./model-at.js";

/**
 * The current models of a provider, as an operator would configure them.
 *
 * @param settings Those of its upstream. A model that its region or location does not have is left out.
 */
export function offeredModels(
  provider: Provider,
  catalogue: Catalogue,
  settings: JsonObject = {},
): OfferedModels {
  const { environment, name } = provider;
  if (environment?.models !== undefined) return environment.models;
  const offered = allKinds.flatMap(({ type }) => {
    const rows = catalogue.currentModels(name, type).filter((row) => isCallable(row, settings));
    if (rows.length === 0) return [];
    const models = Object.fromEntries(
      rows.map((row) => [
        row.id ?? row.model,
        offer(row, provider, modelAt(provider, { name: row.model, type, settings }, catalogue)),
      ]),
    );
    return [[type, models] as const];
  });
  return Object.fromEntries(offered);
}

/** The names of a provider's current models, or else those that it declares as examples. */
export function knownModels(provider: Provider, type: ModelType, catalogue: Catalogue): string[] {
  const current = catalogue.currentModels(provider.name, type).map(({ model }) => model);
  const trait = allKinds.find((kind) => kind.type === type)?.trait;
  const examples = (trait && provider.examples?.[trait]) ?? [];
  // Where any model will do, the examples are words.
  return current.length > 0 ? current : examples.filter((one) => !/\s/.test(one));
}

/** Without a region, a model that can be called somewhere is taken. */
function isCallable({ regions }: CatalogueRow, { region, location }: JsonObject): boolean {
  const place = region ?? location;
  if (regions === undefined) return true;
  return typeof place === "string"
    ? regions.some((pattern) => matchesWildcard(pattern, place))
    : regions.length > 0;
}

/** The keys that the provider does not declare by itself. */
function offer({ id, model }: CatalogueRow, { embeddings, images }: Provider, at: ModelAt): OfferedModel {
  const { dimensions, matryoshka, limits, profile } = at.facts ?? {};
  const traits = dimensions === undefined ? undefined : embeddings?.(at);
  const isOwnProfile = profile !== undefined && profileOf(images?.(at)).name === profile;
  return withoutUndefined({
    model: id === undefined ? undefined : model,
    dimensions,
    matryoshka,
    maxTokens: traits && traits.maxTokens === undefined ? limits?.max_tokens : undefined,
    // Documents are what is embedded most.
    inputType: traits?.requiresInputType === true ? "document" : undefined,
    profile: isOwnProfile ? undefined : profile,
  });
}
