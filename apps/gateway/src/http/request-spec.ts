import type { OpenApiDocument } from "./json-schema.js";

type PathItem = OpenApiDocument["paths"][string];

/**
 * The part of the spec that requests to some of its paths are held against, with everything in its place that it refers
 * to. The validator walks through all that it is given for every schema that it compiles, and answers, examples and
 * samples are most of a spec; what is referred to it would compile once more, only to find it.
 */
export function requestSpec(
  document: OpenApiDocument,
  isWanted: (item: PathItem) => boolean,
): OpenApiDocument {
  const inPlace = resolver(document.components);
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([, item]) => isWanted(item))
      .map(([path, item]) => [path, inPlace(withoutAnswers(item)) as PathItem]),
  );
  return { ...document, paths, components: { schemas: {} } };
}

function withoutAnswers(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, part]) => {
      if (!isObject(part) || !("responses" in part)) return [name, part];
      const { "x-codeSamples": _samples, ...operation } = part;
      return [name, { ...operation, responses: {} }];
    }),
  );
}

/** What may stand beside a reference says nothing of requests. */
interface Reference {
  readonly $ref?: unknown;
  readonly description?: unknown;
  readonly summary?: unknown;
}

/** Puts components where something refers to them. Those that are in several places are one object. */
function resolver(components: OpenApiDocument["components"]): (node: unknown) => unknown {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = components;
  const known = new Map<string, unknown>();
  const underWay = new Set<string>();
  const inPlace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inPlace);
    if (!isObject(node)) return node;
    if (typeof node.$ref === "string") return component(node.$ref, node);
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, inPlace(inner)]));
  };
  const component = (
    reference: string,
    { $ref, description, summary, ...beside }: object & Reference,
  ): unknown => {
    if (Object.keys(beside).length > 0)
      throw new Error(`The spec has ${Object.keys(beside)} beside ${reference}, which would be lost.`);
    if (known.has(reference)) return known.get(reference);
    if (underWay.has(reference)) throw new Error(`The spec refers to ${reference} from within.`);
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
    underWay.add(reference);
    const resolved = inPlace(all[kind]?.[name]);
    if (resolved === undefined) throw new Error(`The spec refers to ${reference}, which is not in it.`);
    known.set(reference, resolved);
    return resolved;
  };
  return inPlace;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
