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

/** Puts components where something refers to them. Those that are in several places are one object. */
function resolver(components: OpenApiDocument["components"]): (node: unknown) => unknown {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = components;
  const known = new Map<string, unknown>();
  const inPlace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inPlace);
    if (!isObject(node)) return node;
    if (typeof node.$ref === "string") return component(node.$ref);
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, inPlace(inner)]));
  };
  const component = (reference: string): unknown => {
    if (known.has(reference)) {
      const found = known.get(reference);
      if (found === undefined) throw new Error(`The spec refers to ${reference} from within.`);
      return found;
    }
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
    known.set(reference, undefined);
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
