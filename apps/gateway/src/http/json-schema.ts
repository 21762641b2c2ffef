/** The part of JSON Schema that the spec uses and the gateway reads. */
export interface JsonSchema {
  readonly $ref?: string;
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

/** A parameter of an operation, or where one is to be found. */
export interface SpecParameter {
  readonly $ref?: string;
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

/** Puts what references point to in their place, down through properties, items and unions. */
export function resolveSchema(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace("#/components/schemas/", "");
    const target = document.components.schemas[name];
    if (target === undefined) throw new Error(`The spec refers to ${schema.$ref}, which is not there.`);
    return resolveSchema(target, document);
  }
  const { properties, items, oneOf, anyOf } = schema;
  const resolve = (inner: JsonSchema) => resolveSchema(inner, document);
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, resolve(inner)]),
      ),
    }),
    ...(items && { items: resolve(items) }),
    ...(oneOf && { oneOf: oneOf.map(resolve) }),
    ...(anyOf && { anyOf: anyOf.map(resolve) }),
  };
}

export function resolveParameter(parameter: SpecParameter, document: OpenApiDocument): SpecParameter {
  if (parameter.$ref === undefined) return parameter;
  const name = parameter.$ref.replace("#/components/parameters/", "");
  const target = document.components.parameters?.[name];
  if (target === undefined) throw new Error(`The spec refers to ${parameter.$ref}, which is not there.`);
  return target;
}
