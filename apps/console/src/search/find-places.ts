import { linkTo } from "../routes/address.js";

/** A place that a search leads to. */
export interface Place {
  readonly kind: "request" | "page" | "model" | "upstream" | "key" | "owner";
  readonly name: string;
  /** The word that the page was found by. */
  readonly word?: string;
  readonly link: string;
}

/** Everything that can be found by its name. */
export interface Searched {
  readonly pages: readonly SearchedPage[];
  readonly models: readonly { readonly id: string; readonly aliases: readonly string[] }[];
  readonly upstreams: readonly string[];
  /** Those that the gateway found for the text. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly owner?: string | null }[];
  /** The page that shows a request: an operator's list has all, and a caller's page the own ones. */
  readonly requestsPath: string;
}

/** A page with other words for its content. */
export interface SearchedPage {
  readonly name: string;
  readonly path: string;
  readonly words?: readonly string[];
}

const placesMax = 12;
/** The gateway gives every request such an id. A part of one finds nothing. */
const requestId = /^req_[0-9a-f]{32}$/;

/** The places whose name contains the text. Names that begin with it come first. */
export function findPlaces(text: string, searched: Searched): Place[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return searched.pages.map((page) => placeOfPage(page));
  const named: readonly Place[] = [
    ...searched.models.map(({ id }) => placeOf("model", id, linkTo("/models", { model: id }))),
    ...searched.upstreams.map((name) => placeOf("upstream", name, linkTo("/upstreams", { upstream: name }))),
  ];
  const aliases = new Map(searched.models.map(({ id, aliases }) => [id, aliases]));
  const fits = ({ kind, name }: Place) =>
    [name, ...(kind === "model" ? (aliases.get(name) ?? []) : [])].some((one) =>
      one.toLowerCase().includes(wanted),
    );
  const begins = ({ name }: Place) => name.toLowerCase().startsWith(wanted);
  const keys = searched.keys.map(({ id, name }) => placeOf("key", name, linkTo("/keys", { key: id })));
  const found = [
    ...findPages(wanted, searched),
    ...named.filter(fits),
    ...findOwners(wanted, searched),
    ...keys,
  ];
  found.sort((one, other) => +begins(other) - +begins(one));
  const request = requestId.test(wanted)
    ? [placeOf("request", wanted, linkTo(searched.requestsPath, { request: wanted }))]
    : [];
  return [...request, ...found].slice(0, placesMax);
}

/** By their names, or by a word for something on them. */
function findPages(wanted: string, { pages }: Searched): Place[] {
  return pages.flatMap((page) => {
    if (page.name.toLowerCase().includes(wanted)) return [placeOfPage(page)];
    const word = page.words?.find((one) => one.includes(wanted));
    return word === undefined ? [] : [placeOfPage(page, word)];
  });
}

/** The owners of the keys that were found, as far as the text is in their names. */
function findOwners(wanted: string, { keys }: Searched): Place[] {
  const owners = new Set(keys.flatMap(({ owner }) => (owner?.toLowerCase().includes(wanted) ? [owner] : [])));
  return [...owners].map((owner) => placeOf("owner", owner, linkTo("/usage", { by: "key", owner })));
}

function placeOfPage({ name, path }: SearchedPage, word?: string): Place {
  return { ...placeOf("page", name, linkTo(path)), ...(word !== undefined && { word }) };
}

function placeOf(kind: Place["kind"], name: string, link: string): Place {
  return { kind, name, link };
}
