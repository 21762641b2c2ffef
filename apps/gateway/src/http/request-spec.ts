import type { OpenApiDocument } from "./json-schema.js";

type PathItem = OpenApiDocument["paths"][string];

/**
 * The part of the spec that requests to some of its paths are held against. The validator walks through all that it is
 * given for every schema that it compiles, and answers, examples and samples are most of a spec.
 */
export function requestSpec(
  document: OpenApiDocument,
  isWanted: (item: PathItem) => boolean,
): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([, item]) => isWanted(item))
      .map(([path, item]) => [path, withoutAnswers(item)]),
  );
  return { ...document, paths, components: referenced(document.components, paths) };
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

/** The components that something refers to, and those that they refer to in turn. */
function referenced(
  components: OpenApiDocument["components"],
  paths: unknown,
): OpenApiDocument["components"] {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = components;
  const kept: Record<string, Record<string, unknown>> = { schemas: {} };
  const visit = (node: unknown): void => {
    if (!isObject(node)) return;
    for (const inner of Object.values(node)) visit(inner);
    const [, kind, name] = /^#\/components\/(\w+)\/([^/]+)/.exec(String(node.$ref)) ?? [];
    if (kind === undefined || name === undefined || kept[kind]?.[name] !== undefined) return;
    const component = all[kind]?.[name];
    kept[kind] = { ...kept[kind], [name]: component };
    visit(component);
  };
  visit(paths);
  return kept as unknown as OpenApiDocument["components"];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
