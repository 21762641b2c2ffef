import { type FactsOrigin, type ModelFacts, modelFacts } from "@model-gateway/domain/model-facts";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { CatalogueFamily, CatalogueRow } from "./catalogue-file.js";
import { type NameFit, readNamePattern } from "./name-pattern.js";

interface FamilyEntry {
  readonly entry: string;
  readonly fits: (name: string) => NameFit | undefined;
  readonly family: CatalogueFamily;
}

interface ModelName {
  readonly provider: string;
  readonly name: string;
}

/** The facts of a model, if there are any, and where everything about it is from. */
export interface KnownTraits {
  readonly facts?: ModelFacts;
  readonly factsFrom: FactsOrigin;
}

const factKeys = Object.keys(modelFacts) as (keyof ModelFacts)[];

/** The families of a catalogue: the facts of models, by patterns of their names. */
export class Families {
  readonly all: readonly CatalogueFamily[];
  readonly #byProvider = new Map<string, FamilyEntry[]>();

  constructor(families: readonly CatalogueFamily[]) {
    this.all = families;
    for (const family of families) {
      const entries = family.models.flatMap((entry): FamilyEntry[] => {
        const fits = readNamePattern(entry);
        return fits === undefined ? [] : [{ entry, fits, family }];
      });
      this.#byProvider.set(family.provider, [...(this.#byProvider.get(family.provider) ?? []), ...entries]);
    }
  }

  /** The facts of the first family that fits, and those of the model's own row, which win. */
  traitsOf({ provider, name }: ModelName, row: CatalogueRow | undefined): KnownTraits | undefined {
    const found = this.#find({ provider, name });
    if (found === undefined && row === undefined) return undefined;
    const own = factsIn(row);
    const shared = factsIn(found?.family);
    const isOwn = row !== undefined && Object.keys(own).length > 0;
    const facts = mergeFacts(found?.fit === "assumed" ? withoutSpace(shared) : shared, own);
    return {
      ...(Object.keys(facts).length > 0 && { facts }),
      factsFrom: {
        entry: isOwn || found === undefined ? name : found.entry,
        state: isOwn ? "known" : (found?.fit ?? "known"),
        pages: [...(row?.sources ?? []), ...(found?.family.sources ?? [])].map(
          ({ url, read_on: readOn, facts = [] }) => ({ url, readOn, facts }),
        ),
      },
    };
  }

  #find({ provider, name }: ModelName): (FamilyEntry & { readonly fit: NameFit }) | undefined {
    for (const one of this.#byProvider.get(provider) ?? []) {
      const fit = one.fits(name);
      if (fit !== undefined) return { ...one, fit };
    }
    return undefined;
  }
}

function factsIn(entry: CatalogueFamily | CatalogueRow | undefined): ModelFacts {
  if (entry === undefined) return {};
  return withoutUndefined(Object.fromEntries(factKeys.map((key) => [key, entry[key]])));
}

/** A later generation has the widths of the last one until they are known, but certainly other vectors. */
function withoutSpace({ space: _space, ...facts }: ModelFacts): ModelFacts {
  return facts;
}

function mergeFacts(shared: ModelFacts, own: ModelFacts): ModelFacts {
  const { limits, options } = shared;
  return {
    ...shared,
    ...own,
    ...(limits && { limits: { ...limits, ...own.limits } }),
    ...(options && { options: { ...options, ...own.options } }),
  };
}
