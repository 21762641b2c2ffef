import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import type { OperationId } from "../operations.js";
import type { JsonSchema, OpenApiDocument, SpecParameter } from "./json-schema.js";
import { requestSpec } from "./request-spec.js";

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
