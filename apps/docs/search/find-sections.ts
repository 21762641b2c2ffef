import MiniSearch, { type SearchResult } from "minisearch";
import { unpackIndex } from "./pack-index.js";
import { normalize, tokenize } from "./tokenize.js";

/** Options of the index, shared by the build and the browser. */
export const indexOptions = {
  fields: ["title", "heading", "name", "text"],
  storeFields: ["title", "heading", "address"],
  tokenize: (text: string, field?: string) => (field === "name" ? [nameTerm(text)] : tokenize(text)),
  processTerm: normalize,
};

/** A name is one term, which no word is. Its words are in the title. */
function nameTerm(name: string): string {
  return `=${name.toLowerCase()}`;
}

/** Opens the index that the build has written. */
export function openIndex(text: string): MiniSearch {
  return MiniSearch.loadJS(unpackIndex(text, indexOptions.storeFields), indexOptions);
}

/**
 * A guide says how something is done. The page of a code or an operation is found by its exact id, whatever its rank.
 * Decisions say why it is so, and the changelog that it was different once.
 */
const ranks = [
  ["guides/faq/", 1],
  ["guides/moving-from-", 1],
  ["guides/", 1.5],
  ["errors/#", 1.5],
  ["errors/", 0.4],
  ["reference/", 0.7],
  ["upstreams/", 1.2],
  ["decisions/", 0.35],
  ["changelog/", 0.2],
] as const;
/** The beginning of a guide goes before its sections. */
const leadRank = 1.2;

function rankOf(address: string): number {
  const rank = ranks.find(([start]) => address.startsWith(start))?.[1] ?? 1;
  return address.startsWith("guides/") && !address.includes("#") ? rank * leadRank : rank;
}

/** Weights of a hit in each field: the exact id of an operation or a code, or a status, weighs most. */
const searchOptions = {
  boost: { name: 30, title: 8, heading: 4, text: 1 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 5 ? 0.2 : false),
  weights: { fuzzy: 0.1, prefix: 0.4 },
  boostDocument: (_id: unknown, _term: string, stored?: Record<string, unknown>) =>
    rankOf(String(stored?.address)),
} as const;

/** A page whose name is the query, and pages with all of its words; if nothing has all of them, any may do. */
export function findSections(index: MiniSearch, query: string): SearchResult[] {
  const name = {
    queries: [nameTerm(query.trim())],
    tokenize: (text: string) => [text],
    prefix: false,
    fuzzy: false,
  };
  const find = (combineWith: "AND" | "OR") =>
    index.search({ combineWith: "OR", queries: [name, { queries: [query], combineWith }] }, searchOptions);
  const found = find("AND");
  return found.length > 0 ? found : find("OR");
}
