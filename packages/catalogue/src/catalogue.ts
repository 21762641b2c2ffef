import type { Target } from "@model-gateway/domain/model";
import type { ModelType } from "@model-gateway/domain/operations";
import type { Price } from "@model-gateway/domain/price";
import { matchesWildcard } from "@model-gateway/domain/wildcard";
import { withoutUndefined } from "@model-gateway/runtime/json";
import builtIn from "./catalogue.json" with { type: "json" };
import type { CatalogueFamily, CatalogueFile, CatalogueRow } from "./catalogue-file.js";
import { Families, type KnownTraits } from "./families.js";
import { priceOfRates } from "./rates.js";

/** Where a model is called. */
export interface ModelPlace {
  /** The name of its provider in the configuration. */
  readonly provider: string;
  /** Absent for models in the gateway's own process. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** The name whose facts hold for it, if it is another. */
  readonly knownAs?: string | undefined;
}

/** The facts that a target takes over. */
export type TargetFacts = Pick<Target, "price" | "isListPrice" | "end" | "facts" | "factsFrom">;

/** Facts about providers' models. The operator's own values override them. */
export class Catalogue {
  /** The day of its facts. */
  readonly date: string;
  readonly #providers: CatalogueFile["providers"];
  readonly #rows = new Map<string, CatalogueRow>();
  readonly #families: Families;

  constructor({ date, providers, models, families }: CatalogueFile) {
    this.date = date;
    this.#families = new Families(families);
    this.#providers = providers;
    for (const row of models) this.#rows.set(keyOf(row.provider, row.model), row);
  }

  get families(): readonly CatalogueFamily[] {
    return this.#families.all;
  }

  get rows(): readonly CatalogueRow[] {
    return [...this.#rows.values()];
  }

  /** The facts about a model. They hold for its provider at any address, and for any client of the provider's host. */
  find({ provider, baseUrl, model }: ModelPlace): CatalogueRow | undefined {
    const named = this.#rows.get(keyOf(provider, model));
    if (named !== undefined || baseUrl === undefined) return named;
    const atHost = Object.keys(this.#providers).find((one) => this.#isAt(baseUrl, one));
    return atHost === undefined ? undefined : this.#rows.get(keyOf(atHost, model));
  }

  /** The list price of a model. It holds only for the vendor's hosts: a proxy or your own machine has another. */
  priceOf(place: ModelPlace): Price | undefined {
    const row = this.find(place);
    if (row?.prices === undefined || place.baseUrl === undefined) return undefined;
    return this.#isAt(place.baseUrl, row.provider) ? priceOfRates(row.prices, row.kind) : undefined;
  }

  /** The traits of a model, and where they are from. Undefined: the catalogue says nothing. */
  traitsOf({ knownAs, ...place }: ModelPlace): KnownTraits | undefined {
    const { provider, model } = { ...place, model: knownAs ?? place.model };
    return this.#families.traitsOf({ provider, name: model }, this.find({ ...place, model }));
  }

  /** The facts that a target takes over. */
  factsOf(place: ModelPlace): TargetFacts {
    const price = this.priceOf(place);
    const row = this.find(place);
    const { shutdown_on: shutdownOn, deprecated_on: deprecatedOn, successor } = row ?? {};
    return {
      ...this.traitsOf(place),
      ...(price !== undefined && { price, isListPrice: true }),
      ...(shutdownOn !== undefined && {
        end: { shutdownOn, ...withoutUndefined({ deprecatedOn, successor }) },
      }),
    };
  }

  /** The models of a provider that have no successor and no end. */
  currentModels(provider: string, kind: ModelType): CatalogueRow[] {
    return this.rows.filter(
      (row) =>
        row.provider === provider &&
        row.kind === kind &&
        row.successor === undefined &&
        row.shutdown_on === undefined,
    );
  }

  #isAt(baseUrl: string, provider: string): boolean {
    const { host } = new URL(baseUrl);
    return this.#providers[provider]?.hosts.some((pattern) => matchesWildcard(pattern, host)) === true;
  }
}

/** The catalogue of this version of the gateway. A test checks the file, so that no start has to. */
export function builtInCatalogue(): Catalogue {
  return new Catalogue(builtIn as CatalogueFile);
}

function keyOf(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
