import { createRequire } from "node:module";
import type { OperationId } from "@model-gateway/domain/operations";

export interface SpecHeader {
  readonly required?: boolean;
  readonly schema: object;
}

/** A response of the spec, with its headers in full. */
export interface SpecResponse {
  readonly "x-error-codes"?: readonly string[];
  readonly headers: Readonly<Record<string, SpecHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** The documentation of an operation in the spec. */
export interface SpecOperation {
  readonly id: OperationId;
  readonly method: string;
  /** Matches the paths of its requests. */
  readonly path: RegExp;
  readonly responses: ReadonlyMap<number, SpecResponse>;
  /** Every code with which it can fail: those that its responses list, and its own. */
  readonly errorCodes: ReadonlySet<string>;
  /** Those that it lists itself. */
  readonly ownCodes: readonly string[];
}

interface SpecDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
    readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
  };
}

/** Transport headers that every server sends. */
const transportHeaders = /^(date|connection|keep-alive|transfer-encoding|content-length|content-type)$/;

const document: unknown = readDocument();
const operations = listOperations();

/** The whole document, of which the gateway itself reads the part about requests. */
export function readDocument(): SpecDocument {
  return createRequire(import.meta.url)("@model-gateway/spec/openapi.json");
}

export function documentedOperations(): readonly SpecOperation[] {
  return operations;
}

export function documentedResponse(id: OperationId, status: number): SpecResponse | undefined {
  return operations.find((one) => one.id === id)?.responses.get(status);
}

/** The operations that a request is for. A method that the path lacks belongs to all operations of the path. */
export function operationsAt(method: string, url: string): SpecOperation[] {
  const path = url.split("?", 1)[0] ?? "";
  const atPath = operations.filter((one) => one.path.test(path));
  const sought = method === "HEAD" ? "GET" : method;
  const exact = atPath.filter((one) => one.method === sought);
  return exact.length > 0 ? exact : atPath;
}

/** Headers that the spec does not name, and required ones that are missing. */
export function undocumented(id: OperationId, status: number, names: readonly string[]): string[] {
  const specified = documentedResponse(id, status);
  if (specified === undefined) return [`${id} has no ${status}`];
  const sent = new Set(names.filter((name) => !transportHeaders.test(name)));
  const missing = Object.entries(specified.headers)
    .filter(([name, { required }]) => required === true && !sent.has(name))
    .map(([name]) => `${id} ${status} lacks ${name}`);
  const unknown = [...sent].filter((name) => specified.headers[name] === undefined);
  return [...missing, ...unknown.map((name) => `${id} ${status} has no ${name}`)];
}

/** The missing line for the spec, if an operation does not list a code. */
export function unlistedCode(id: OperationId, code: string): string[] {
  const isListed = operations.some((one) => one.id === id && one.errorCodes.has(code));
  return isListed ? [] : [`${id} fails with ${code}: add it to x-error-codes in spec/`];
}

function listOperations(): SpecOperation[] {
  return Object.entries<Record<string, SpecItem>>(at(document, ["paths"])).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, responses, "x-error-codes": own = [] }]) => {
      if (operationId === undefined) return [];
      const pattern = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
      const list = Object.entries(responses).map(
        ([status, response]) => [Number(status), readResponse(response)] as const,
      );
      return [
        {
          id: operationId,
          method: method.toUpperCase(),
          path: new RegExp(`^${pattern}$`),
          responses: new Map(list),
          errorCodes: new Set([...list.flatMap(([, response]) => response["x-error-codes"] ?? []), ...own]),
          ownCodes: own,
        },
      ];
    }),
  );
}

interface SpecItem {
  readonly operationId?: OperationId;
  readonly responses: Readonly<Record<string, object>>;
  readonly "x-error-codes"?: readonly string[];
}

function readResponse(reference: object): SpecResponse {
  const { headers = {}, ...response } = resolve<Partial<SpecResponse>>(reference);
  const names = Object.entries(headers).map(([name, header]) => [name, resolve<SpecHeader>(header)]);
  return { ...response, headers: Object.fromEntries(names) };
}

function resolve<T>(node: object): T {
  return "$ref" in node ? at(document, String(node.$ref).slice(2).split("/")) : (node as T);
}

// The linter of the spec has followed every reference.
function at<T>(node: unknown, steps: readonly string[]): T {
  return steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], node) as T;
}
