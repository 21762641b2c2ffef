import MiniSearch, { type SearchResult } from "minisearch";
import { unpackIndex } from "./pack-index.js";
import { normalize, tokenize } from "./tokenize.js";

/** Options of the index, shared by the build and the browser. */
export const indexOptions = {
  fields: ["title", "heading", "name", "text"],
  storeFields: ["title", "heading", "address"],
  tokenize,
  processTerm: normalize,
};

/** Opens the index that the build has written. */
export function openIndex(text: string): MiniSearch {
  return MiniSearch.loadJS(unpackIndex(text, indexOptions.storeFields), indexOptions);
}

/** Weights of a hit in each field: the exact id of an operation or a code weighs most. */
const searchOptions = {
  boost: { name: 12, title: 8, heading: 4, text: 1 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 5 ? 0.2 : false),
  weights: { fuzzy: 0.1, prefix: 0.4 },
  // Decisions say why something is so; who searches wants to know how it is.
  boostDocument: (_id: unknown, _term: string, stored?: Record<string, unknown>) =>
    String(stored?.address).startsWith("decisions/") ? 0.4 : 1,
  combineWith: "AND",
} as const;

/** All words must fit; if nothing has all of them, any may. */
export function findSections(index: MiniSearch, query: string): SearchResult[] {
  const found = index.search(query, searchOptions);
  return found.length > 0 ? found : index.search(query, { ...searchOptions, combineWith: "OR" });
}
