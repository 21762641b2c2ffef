import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import type { OperationId } from "@model-gateway/domain/operations";
import type { OperatorRole } from "@model-gateway/domain/operator";
import { type JsonSchema, type JsonShape, shapeOf } from "./json-schema.js";

/** An operation of the spec, as the gateway serves it. */
export interface Operation {
  readonly id: OperationId;
  readonly method: (typeof methods)[number];
  /** As Express writes it: `/v1/models/:model`. */
  readonly path: string;
  /** The paths of other APIs at which it is served as well, unchanged. */
  readonly aliases: readonly string[];
  /**
   * Required access: none, an API key, an API key or the admin key, an API key for its own records, the admin key, either
   * of them to sign in, or a session.
   */
  readonly access: "public" | "key" | "any-key" | "own" | "admin" | "sign-in" | "session";
  /** The roles of operators that may call it. */
  readonly roles: readonly OperatorRole[];
  /** The schema of the body, by content type. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  /** The largest JSON body that the schema accepts. */
  readonly jsonShape: JsonShape;
  /** The schema of each query parameter, by name. */
  readonly query: ReadonlyMap<string, JsonSchema>;
  /** The same for headers, in lower case. */
  readonly headers: ReadonlyMap<string, JsonSchema>;
  /** Those of them that are numbers. */
  readonly numericHeaders: readonly (readonly [name: string, schema: JsonSchema])[];
  /** The same for the parameters in the path. */
  readonly pathParameters: ReadonlyMap<string, JsonSchema>;
}

const methods = ["get", "post", "patch", "delete"] as const;

interface SpecOperation {
  readonly operationId: OperationId;
  readonly "x-aliases"?: readonly string[];
  readonly "x-roles"?: readonly OperatorRole[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly SpecParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

/** Reads the part of the spec that describes requests. */
export function readSpec(): RequestSpec {
  return createRequire(import.meta.url)("@model-gateway/spec/requests.json");
}

/** Lists the operations of the spec. */
export function operationsOf({ paths }: RequestSpec): Operation[] {
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
      const headers = schemasOf(parameters, "header");
      return [
        {
          id: operation.operationId,
          method,
          path: routeOf(path),
          aliases: (operation["x-aliases"] ?? []).map(routeOf),
          access: accessOf(operation),
          roles: operation["x-roles"] ?? [],
          bodies: new Map(content.map(([type, { schema }]) => [type, schema])),
          jsonShape: shapeOf(json?.schema ?? {}),
          query: schemasOf(parameters, "query"),
          headers,
          numericHeaders: [...headers].filter(([, { type }]) => type === "integer" || type === "number"),
          pathParameters: schemasOf(parameters, "path"),
        },
      ];
    }),
  );
}

/** As Express writes it. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
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

/** Whether it is about the gateway's records, and not a call of a model. */
export function isAdminAccess(access: Operation["access"]): boolean {
  return access !== "public" && access !== "key" && access !== "any-key";
}

export function isAdminPath(item: RequestSpec["paths"][string]): boolean {
  const operations = methods.flatMap((method) => (item[method] as SpecOperation | undefined) ?? []);
  return operations.some((operation) => isAdminAccess(accessOf(operation)));
}

/** The content type without its parameters, in lower case. */
export function mediaType(headers: IncomingHttpHeaders): string {
  const given = headers["content-type"];
  if (given === undefined || given === "application/json") return given ?? "";
  return given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** A parameter of an operation. */
interface SpecParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
}

/** The part of the spec that describes requests, without references. `spec/request-document.ts` writes it. */
export interface RequestSpec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
