import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import type { OperationId } from "../../operations.js";

/** An operation of the spec, as the gateway serves it. */
export interface Operation {
  readonly id: OperationId;
  readonly method: (typeof methods)[number];
  /** As Express writes it: `/v1/models/:model`. */
  readonly path: string;
  /** Who may ask: anybody, whoever has a key, or the operator. */
  readonly access: "public" | "key" | "admin";
  /** The schema of the body for each content type that it takes. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  /** The schema of each parameter in its query. */
  readonly query: ReadonlyMap<string, JsonSchema>;
}

const methods = ["get", "post", "patch", "delete"] as const;

interface SpecOperation {
  readonly operationId: OperationId;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly SpecParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

export function readSpec(): OpenApiDocument {
  return createRequire(import.meta.url)("@model-gateway/spec/openapi.json");
}

/** Lists the operations of the spec. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  const { paths } = requestSpec(document, () => true);
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as SpecOperation | undefined;
      if (operation === undefined) return [];
      const content = Object.entries(operation.requestBody?.content ?? {});
      const query = (operation.parameters ?? []).filter((one) => one.in === "query");
      return [
        {
          id: operation.operationId,
          method,
          path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
          access: accessOf(operation),
          bodies: new Map(content.map(([type, { schema }]) => [type, schema])),
          query: new Map(query.map(({ name, schema }) => [name, schema])),
        },
      ];
    }),
  );
}

function accessOf({ security }: SpecOperation): Operation["access"] {
  if (security?.length === 0) return "public";
  return security?.some((scheme) => "adminKey" in scheme) ? "admin" : "key";
}

export function isAdminPath(item: OpenApiDocument["paths"][string]): boolean {
  const operations = methods.flatMap((method) => (item[method] as SpecOperation | undefined) ?? []);
  return operations.some((operation) => accessOf(operation) === "admin");
}

/** The content type without its parameters, in lower case. */
export function mediaType(headers: IncomingHttpHeaders): string {
  const given = headers["content-type"];
  if (given === undefined || given === "application/json") return given ?? "";
  return given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

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

/** The part of JSON Schema that the spec uses and the gateway reads. */
export interface JsonSchema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A parameter of an operation. */
export interface SpecParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
}

/** The spec as the gateway reads it: a bundle, in which every reference points into itself. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters?: Readonly<Record<string, SpecParameter>>;
  };
}
