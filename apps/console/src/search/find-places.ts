import { linkTo, type Query } from "../routes/address.js";

/** A place that a search leads to. */
export interface Place {
  readonly kind: "request" | "batch" | "job" | "page" | "model" | "upstream" | "key" | "owner";
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

/** A page with other words for its content, in small letters. */
export interface SearchedPage {
  readonly name: string;
  readonly path: string;
  readonly words?: readonly string[];
  /** Words that lead to a part of the page, with the query of its address. */
  readonly parts?: Readonly<Record<string, Query>>;
}

const placesMax = 12;
/** Things that are found by their ids: the beginning of the id, and its hexadecimal digits. A part of one finds nothing. */
const idForms = {
  request: { beginning: "req_", digits: 32 },
  batch: { beginning: "batch_", digits: 24 },
  job: { beginning: "job_", digits: 32 },
} as const;
type IdKind = keyof typeof idForms;
const idKinds = Object.keys(idForms) as IdKind[];

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
  return [...findById(wanted, searched), ...found].slice(0, placesMax);
}

function findById(wanted: string, { requestsPath }: Searched): Place[] {
  const kind = idKinds.find((one) => restOf(wanted, one)?.length === idForms[one].digits);
  if (kind === undefined) return [];
  return [placeOf(kind, wanted, linkTo(kind === "request" ? requestsPath : "/jobs", { [kind]: wanted }))];
}

/** The digits after the beginning of an id. Undefined if there is something else. */
function restOf(wanted: string, kind: IdKind): string | undefined {
  const { beginning } = idForms[kind];
  const rest = wanted.slice(beginning.length);
  return wanted.startsWith(beginning) && /^[0-9a-f]*$/.test(rest) ? rest : undefined;
}

/** By their names, or by words for something on them: "what if down" finds "what if it is down". */
function findPages(wanted: string, { pages }: Searched): Place[] {
  const typed = wanted.split(/\s+/);
  const fits = (words: string) => typed.every((one) => words.includes(one));
  return pages.flatMap((page) => {
    if (page.name.toLowerCase().includes(wanted)) return [placeOfPage(page)];
    const { words = [], parts = {} } = page;
    const part = Object.entries(parts).find(([name]) => fits(name));
    if (part !== undefined) return [placeOfPage(page, ...part)];
    const word = words.find(fits);
    return word === undefined ? [] : [placeOfPage(page, word)];
  });
}

/** Asks for the whole id, where the text is a part of one. */
export function hintForPart(text: string): string | undefined {
  const [typed = "", shortened] = text
    .trim()
    .toLowerCase()
    .split(/(…|\.\.\.)/);
  const kind = idKinds.find((one) => {
    const { length = Number.POSITIVE_INFINITY } = restOf(typed, one) ?? {};
    return length < idForms[one].digits || (length === idForms[one].digits && shortened !== undefined);
  });
  if (kind === undefined) return undefined;
  const { beginning, digits } = idForms[kind];
  return `A ${kind} is found by its whole id: ${beginning} and ${digits} more characters.`;
}

/** The owners of the keys that were found, as far as the text is in their names. */
function findOwners(wanted: string, { keys }: Searched): Place[] {
  const owners = new Set(keys.flatMap(({ owner }) => (owner?.toLowerCase().includes(wanted) ? [owner] : [])));
  return [...owners].map((owner) =>
    placeOf("owner", owner, linkTo("/usage", { time: "month", by: "key", owner })),
  );
}

function placeOfPage({ name, path }: SearchedPage, word?: string, query?: Query): Place {
  return { ...placeOf("page", name, linkTo(path, query)), ...(word !== undefined && { word }) };
}

function placeOf(kind: Place["kind"], name: string, link: string): Place {
  return { kind, name, link };
}
