import type { Auth, Body, Collection, Field, Item, Url } from "./collection-format.js";
import { type BundledDocument, createResolver } from "./request-document.js";

interface Tag {
  readonly name: string;
  readonly description?: string;
  readonly "x-displayName"?: string;
}

export interface CollectedDocument extends BundledDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly Tag[];
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
}

interface RequestBody {
  readonly content: Readonly<Record<string, MediaType>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface Schema {
  readonly description?: string;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** One body to try an operation with, or none. */
interface Variant {
  readonly name?: string;
  readonly title?: string;
  readonly body?: Body;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The requests of the document as a collection: a folder for each tag, and a request for each example of a body. */
export function createCollection(document: CollectedDocument): Collection {
  const operations = describeOperations(document);
  return {
    info: {
      // Imported again, the collection replaces itself.
      _postman_id: "0c7b6c52-6d8e-4a51-9d0e-6d6f64656c67",
      name: document.info.title,
      version: document.info.version,
      description: document.info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: document.tags
      .map((tag) => ({
        name: tag["x-displayName"] ?? tag.name,
        ...(tag.description === undefined ? {} : { description: tag.description }),
        item: operations.filter(({ operation }) => operation.tags[0] === tag.name).flatMap(createItems),
      }))
      .filter(({ item }) => item.length > 0),
    auth: bearer("apiKey"),
    variable: [
      { key: "baseUrl", value: "http://127.0.0.1:8080", type: "string" },
      { key: "apiKey", value: "", type: "string", description: "The key of a caller." },
      { key: "adminKey", value: "", type: "string", description: "The admin key." },
      { key: "session", value: "", type: "string", description: "The secret that createSession returns." },
    ],
  };
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
}

function describeOperations({ paths, components }: CollectedDocument): Described[] {
  const resolve = createResolver(components);
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) return [];
      const parameters = resolve([item.parameters ?? [], operation.parameters ?? []].flat()) as Parameter[];
      const requestBody = resolve(operation.requestBody) as RequestBody | undefined;
      return [{ path, method, operation, parameters, requestBody }];
    }),
  );
}

function createItems({ path, method, operation, parameters, requestBody }: Described): Item[] {
  const { operationId, summary, description = "", security } = operation;
  const variants = createVariants(operationId, requestBody);
  const auth = authOf(security);
  return variants.map(({ name, title, body }, index) => ({
    id: index === 0 ? operationId : `${operationId}.${name}`,
    name: variants.length === 1 ? summary : `${summary}: ${title}`,
    request: {
      method: method.toUpperCase(),
      url: urlOf(path, parameters),
      description,
      header: [
        ...(body?.mode === "raw" ? [{ key: "content-type", value: "application/json" }] : []),
        ...parameters.filter((one) => one.in === "header").map(optionalField),
      ],
      ...(auth && { auth }),
      ...(body && { body }),
    },
  }));
}

function urlOf(path: string, parameters: readonly Parameter[]): Url {
  const segments = path
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .slice(1)
    .split("/");
  return {
    raw: `{{baseUrl}}/${segments.join("/")}`,
    host: ["{{baseUrl}}"],
    path: segments,
    query: parameters.filter((one) => one.in === "query").map(optionalField),
    variable: parameters
      .filter((one) => one.in === "path")
      .map(({ name, example, description }) => fieldOf(name, example, description)),
  };
}

/** Nothing optional is sent before the user switches it on. */
function optionalField({ name, example, description, required = false }: Parameter): Field {
  return { ...fieldOf(name, example, description), ...(required ? {} : { disabled: true }) };
}

function fieldOf(key: string, value: unknown, description?: string): Field {
  return { key, value: textOf(value), ...(description === undefined ? {} : { description }) };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

/** Undefined where the key of a caller is accepted, which is that of the collection. */
function authOf(security: Operation["security"]): Auth | undefined {
  if (security === undefined || security.some((one) => "bearer" in one)) return undefined;
  if (security.length === 0 || security.some((one) => Object.keys(one).length === 0))
    return { type: "noauth" };
  return bearer(security.some((one) => "adminKey" in one) ? "adminKey" : "session");
}

function bearer(variable: string): Auth {
  return { type: "bearer", bearer: [{ key: "token", value: `{{${variable}}}`, type: "string" }] };
}

function createVariants(operationId: string, requestBody: RequestBody | undefined): Variant[] {
  if (requestBody === undefined) return [{}];
  const { "multipart/form-data": form, ...others } = requestBody.content;
  const json = Object.values(others).flatMap(({ examples = {} }) => Object.entries(examples));
  if (form === undefined && json.length === 0) throw new Error(`${operationId} has no example of a body.`);
  const [like] = [...Object.values(form?.examples ?? {}), ...json.map(([, example]) => example)];
  return [
    ...(form === undefined
      ? []
      : [{ name: "form", title: "A form", body: formOf(form.schema, like?.value) }]),
    ...json.map(([name, { summary, value }]) => ({ name, title: summary, body: rawOf(value) })),
  ];
}

function rawOf(value: unknown): Body {
  return { mode: "raw", raw: JSON.stringify(value, null, 2), options: { raw: { language: "json" } } };
}

/** Required fields are on, and those of an example of the form, or else of the JSON body. Others are off. */
function formOf({ properties = {}, required = [] }: Schema, example: unknown = {}): Body {
  const given = example as Readonly<Record<string, unknown>>;
  const formdata = Object.entries(properties).flatMap(([key, property]): Field[] => {
    const isOn = required.includes(key) || key in given;
    const beside = {
      ...(property.description === undefined ? {} : { description: property.description }),
      ...(isOn ? {} : { disabled: true }),
    };
    if (isFile(property)) return [{ key, type: "file", src: null, ...beside }];
    const value = key in given ? given[key] : exampleOf(property);
    return value === undefined && !isOn ? [] : [{ key, type: "text", value: textOf(value), ...beside }];
  });
  return { mode: "formdata", formdata };
}

function isFile({ format, anyOf = [] }: Schema): boolean {
  return format === "binary" || anyOf.some(isFile);
}

function exampleOf({ example, examples, const: only, enum: values, anyOf = [] }: Schema): unknown {
  const own = example ?? examples?.[0] ?? only ?? values?.[0];
  return own ?? anyOf.map(exampleOf).find((one) => one !== undefined);
}
