import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import { isObject } from "../../domain/json.js";
import type { OperationId } from "../../operations.js";
import { type JsonSchema, type JsonShape, shapeOf } from "./json-schema.js";

/** An operation of the spec, as the gateway serves it. */
export interface Operation {
  readonly id: OperationId;
  readonly method: (typeof methods)[number];
  /** As Express writes it: `/v1/models/:model`. */
  readonly path: string;
  /**
   * Required access: none, an API key, an API key or the admin key, an API key for its own records, the admin key, either
   * of them to sign in, or a session.
   */
  readonly access: "public" | "key" | "any-key" | "own" | "admin" | "sign-in" | "session";
  /** The schema of the body, by content type. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  /** The largest JSON body that the schema accepts. */
  readonly jsonShape: JsonShape;
  /** The schema of each query parameter, by name. */
  readonly query: ReadonlyMap<string, JsonSchema>;
  /** The same for headers, in lower case. */
  readonly headers: ReadonlyMap<string, JsonSchema>;
  /** The same for the parameters in the path. */
  readonly pathParameters: ReadonlyMap<string, JsonSchema>;
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
      const json = operation.requestBody?.content["application/json"];
      const parameters = [
        ...((item.parameters as SpecOperation["parameters"]) ?? []),
        ...(operation.parameters ?? []),
      ];
      return [
        {
          id: operation.operationId,
          method,
          path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
          access: accessOf(operation),
          bodies: new Map(content.map(([type, { schema }]) => [type, schema])),
          jsonShape: shapeOf(json?.schema ?? {}),
          query: schemasOf(parameters, "query"),
          headers: schemasOf(parameters, "header"),
          pathParameters: schemasOf(parameters, "path"),
        },
      ];
    }),
  );
}

function schemasOf(parameters: readonly SpecParameter[], place: string): Map<string, JsonSchema> {
  return new Map(parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]));
}

/** An empty scheme means no key: then a key is optional. */
function accessOf({ security }: SpecOperation): Operation["access"] {
  if (security?.length === 0 || security?.some((scheme) => Object.keys(scheme).length === 0)) return "public";
  const takes = (name: string) => security?.some((scheme) => name in scheme) === true;
  if (takes("session")) return takes("bearer") ? "own" : "session";
  if (!takes("adminKey")) return "key";
  if (takes("apiKey")) return "any-key";
  return takes("bearer") ? "sign-in" : "admin";
}

/** Whether it is about the gateway's records, and not a call of a model. Its schemas are compiled when callers have theirs. */
export function isAdminAccess(access: Operation["access"]): boolean {
  return access !== "public" && access !== "key" && access !== "any-key";
}

/** Whether callers may need the operation right after a start. The schemas of the others are compiled after it. */
export function isNeededFirst({ path, access }: Operation): boolean {
  return path.startsWith("/v1/") && !path.startsWith("/v1/async/") && !isAdminAccess(access);
}

export function isAdminPath(item: OpenApiDocument["paths"][string]): boolean {
  const operations = methods.flatMap((method) => (item[method] as SpecOperation | undefined) ?? []);
  return operations.some((operation) => isAdminAccess(accessOf(operation)));
}

/** The content type without its parameters, in lower case. */
export function mediaType(headers: IncomingHttpHeaders): string {
  const given = headers["content-type"];
  if (given === undefined || given === "application/json") return given ?? "";
  return given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

type PathItem = OpenApiDocument["paths"][string];

/**
 * The part of the spec that describes requests to some paths, with every reference resolved. The validator walks the
 * whole document for each schema that it compiles, and responses, examples and samples are most of a document. It would
 * also compile each referenced component a second time.
 */
export function requestSpec(
  document: OpenApiDocument,
  isWanted: (item: PathItem) => boolean,
): OpenApiDocument {
  const resolve = createResolver(document.components);
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([, item]) => isWanted(item))
      .map(([path, item]) => [path, resolve(withoutResponses(item)) as PathItem]),
  );
  const { webhooks: _webhooks, ...served } = document;
  return { ...served, paths, components: { schemas: {} } };
}

function withoutResponses(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, part]) => {
      if (!isObject(part) || !("responses" in part)) return [name, part];
      const { "x-codeSamples": _samples, ...operation } = part;
      return [name, { ...operation, responses: {} }];
    }),
  );
}

/** The fields beside `$ref` that do not matter for validation. */
interface Reference {
  readonly $ref?: unknown;
  readonly description?: unknown;
  readonly summary?: unknown;
}

/** Replaces references by their components. References to one component share one object. */
function createResolver(components: OpenApiDocument["components"]): (node: unknown) => unknown {
  const kinds: Readonly<Record<string, Readonly<Record<string, unknown>>>> = components;
  const resolvedComponents = new Map<string, unknown>();
  const started = new Set<string>();
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (!isObject(node)) return node;
    if (typeof node.$ref === "string") return resolveReference(node.$ref, node);
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, resolve(inner)]));
  };
  const resolveReference = (
    reference: string,
    { $ref, description, summary, ...beside }: object & Reference,
  ): unknown => {
    if (Object.keys(beside).length > 0)
      throw new Error(`The spec has ${Object.keys(beside)} beside ${reference}, where it would be ignored.`);
    if (resolvedComponents.has(reference)) return resolvedComponents.get(reference);
    if (started.has(reference))
      throw new Error(`The spec refers to ${reference} from within that component.`);
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
    started.add(reference);
    const resolved = resolve(kinds[kind]?.[name]);
    if (resolved === undefined) throw new Error(`The spec refers to ${reference}, which does not exist.`);
    resolvedComponents.set(reference, resolved);
    return resolved;
  };
  return resolve;
}

/** A parameter of an operation. */
export interface SpecParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
}

/** The bundled spec: every reference points into the document itself. */
export interface OpenApiDocument {
  /** Requests that the gateway sends. */
  readonly webhooks?: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters?: Readonly<Record<string, SpecParameter>>;
  };
}
