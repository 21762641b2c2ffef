/** The parts of an OpenAPI document that the pages are drawn from. */
export interface SpecDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly tags: readonly {
    readonly name: string;
    readonly description?: string;
    readonly "x-displayName"?: string;
  }[];
  readonly security: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, SpecOperation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, SpecOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

interface Reference {
  readonly $ref?: string;
}

export interface SpecOperation {
  readonly operationId: string;
  readonly tags: readonly [string, ...string[]];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter & Reference)[];
  readonly requestBody?: RequestBody & Reference;
  readonly responses: Readonly<Record<string, SpecResponse & Reference>>;
  readonly "x-codeSamples"?: readonly CodeSample[];
  readonly "x-aliases"?: readonly string[];
  /** The codes of its errors, besides those that its responses list. */
  readonly "x-error-codes"?: readonly string[];
}

export interface Operation extends SpecOperation {
  readonly method: string;
  readonly path: string;
  readonly isWebhook: boolean;
}

export interface CodeSample {
  readonly lang: string;
  readonly label?: string;
  readonly source: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface RequestBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface SpecResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  /** The codes that it has for each operation that refers to it. */
  readonly "x-error-codes"?: readonly string[];
}

export interface Example {
  readonly summary?: string;
  readonly description?: string;
  readonly value?: unknown;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example & Reference>>;
  readonly encoding?: Readonly<Record<string, { readonly contentType?: string }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly deprecated?: boolean;
  readonly "x-expected"?: string;
}

/** Follows references in a document. Siblings of a `$ref` win, as OpenAPI 3.1 says. */
export class References {
  constructor(readonly document: SpecDocument) {}

  follow<T extends object>(value: T & Reference): T {
    if (value.$ref === undefined) return value;
    const { $ref, ...beside } = value;
    const found = $ref
      .slice("#/".length)
      .split("/")
      .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], this.document);
    if (typeof found !== "object" || found === null) throw new Error(`The document has no ${$ref}.`);
    return { ...this.follow(found as T & Reference), ...beside } as unknown as T;
  }
}

/** Every operation and every webhook, in the order of the document. */
export function operationsOf(document: SpecDocument): Operation[] {
  const list = (paths: SpecDocument["paths"], isWebhook: boolean) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation?.operationId !== undefined)
        .map(([method, operation]) => ({ ...operation, method, path, isWebhook })),
    );
  return [...list(document.paths, false), ...list(document.webhooks ?? {}, true)];
}

/** Every code with which an operation can fail: those that its responses list, and its own. */
export function errorCodesOf(operation: SpecOperation, references: References): ReadonlySet<string> {
  const listed = Object.values(operation.responses).flatMap(
    (response) => references.follow(response)["x-error-codes"] ?? [],
  );
  return new Set([...listed, ...(operation["x-error-codes"] ?? [])]);
}
