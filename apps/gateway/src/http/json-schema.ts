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
