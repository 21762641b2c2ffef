import { kindOf } from "@model-gateway/config/kinds/kinds";
import { isPattern, type Model, namesOf } from "@model-gateway/domain/model";
import type { ModelOperation, Schemas } from "@model-gateway/domain/operations";
import { servedKindOf } from "../models/kinds/served-kinds.js";
import { describeFacts } from "./documents/ModelFacts.js";
import { pricingOf } from "./documents/PriceRate.js";

/** A model as its configuration describes it. The state of its targets is not part of that. */
export type CatalogModel = Schemas["Model"] & { readonly status: "ready" | "unavailable" };

/** This gateway's models, by id and as callers see them. */
export interface Catalog {
  /** The model with this id or alias, or one that a pattern matches. */
  find(id: string): Model | undefined;
  /** Every configured model, including patterns. */
  all(): readonly Model[];
  list(): CatalogModel[];
  describe(model: Model): CatalogModel;
  /** The id of the model for requests that name none. */
  defaultFor(operation: ModelOperation): string | undefined;
}

interface CatalogOptions {
  /** By their own ids. */
  readonly models: ReadonlyMap<string, Model>;
  /** `PatternModels` (models/pattern-models.ts) finds the models behind patterns. */
  readonly patterns: { find(id: string): Model | undefined };
  readonly defaults: { readonly [K in ModelOperation]?: string };
  /** Why a model cannot be served now, or undefined when it can. */
  readonly unavailable: (model: Model) => string | undefined;
}

export function createCatalog({ models, patterns, defaults, unavailable }: CatalogOptions): Catalog {
  const all = [...models.values()];
  // One lookup for an id and for an alias. The configuration was checked for names that occur twice.
  const exact = all.filter(({ id }) => !isPattern(id));
  const byName = new Map(exact.flatMap((model) => namesOf(model).map((name) => [name, model] as const)));
  const created = Math.floor(Date.now() / 1000);
  const describe = (model: Model): CatalogModel => {
    const reason = unavailable(model);
    const kind = kindOf(model);
    return {
      id: model.id,
      object: "model",
      created,
      owned_by: model.targets[0].upstream,
      shutdown_date: model.end?.shutdownOn ?? null,
      pricing: pricingOf(model),
      facts: describeFacts(model),
      type: model.type,
      ...(model.description === undefined ? {} : { description: model.description }),
      ...(isPattern(model.id) ? { is_pattern: true } : {}),
      ...(model.discovered === true ? { discovered: true } : {}),
      ...(model.aliases === undefined ? {} : { aliases: [...model.aliases] }),
      operations: [...kind.operationsOf(model)],
      ...(model.passThrough === undefined ? {} : { pass_through: [...model.passThrough] }),
      status: reason === undefined ? "ready" : "unavailable",
      ...(reason === undefined ? {} : { status_reason: reason }),
      ...servedKindOf(model).describe(model),
    };
  };
  return {
    find: (id) => byName.get(id) ?? patterns.find(id),
    all: () => all,
    list: () => all.map(describe),
    describe,
    defaultFor: (operation) => defaults[operation],
  };
}
