import { closestName } from "@model-gateway/domain/close-names";
import { errorOf, errorQuoting, GatewayError } from "@model-gateway/domain/errors";
import { branchesOf, type JsonSchema } from "./json-schema.js";

/** A value that breaks a keyword of its schema. */
interface SchemaFault {
  /** Such as `maxItems`. */
  readonly keyword: string;
  /** Such as `input[3]`; empty for the whole body. */
  readonly param: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** For an unknown parameter: the names that exist beside it. */
  readonly knownNames?: Iterable<string>;
  /** For a missing parameter: the unknown names that were sent in its place. */
  readonly givenNames?: readonly string[];
}

/** The error for a fault, with OpenAI's code and wording where OpenAI has them. */
export function describeFault(fault: SchemaFault): GatewayError {
  return (faults[fault.keyword] ?? wrongType)(fault);
}

const faults: Readonly<Partial<Record<string, (fault: SchemaFault) => GatewayError>>> = {
  additionalProperties: ({ param, knownNames }) => unknownParameter(param, knownNames),
  required: ({ param, givenNames }) => missingParameter(param, givenNames),
  enum: unsupportedValue,
  const: unsupportedValue,
  minimum: ({ param, schema, value }) =>
    errorOf("integer_below_min_value", { param, value: brief(value), minimum: schema.minimum ?? 0 }),
  maximum: ({ param, schema, value }) =>
    errorOf("integer_above_max_value", { param, value: brief(value), maximum: schema.maximum ?? 0 }),
  minLength: ({ param }) => errorOf("empty_string", { param }),
  maxLength: ({ param, schema }) =>
    errorOf("string_above_max_length", { param, maximum: schema.maxLength ?? 0 }),
  minItems: ({ param }) => errorOf("empty_array", { param }),
  maxItems: ({ param, schema }) =>
    errorOf("array_above_max_length", { param, maximum: schema.maxItems ?? 0 }),
  uniqueItems: ({ param }) => errorOf("invalid_value", { param, reason: "its items must be unique" }),
  minProperties: ({ param }) => {
    const message = "The request body is empty: send at least one field to change.";
    return new GatewayError("missing_required_parameter", message, { param });
  },
  pattern: ({ param, schema, value }) => {
    const expected = schema["x-expected"] ?? "another value";
    const write = (given: string) => `Invalid value for '${param}': '${given}'. Expected ${expected}.`;
    return errorQuoting("invalid_value", write, { param, value: brief(value) });
  },
};

function unsupportedValue({ param, schema, value }: SchemaFault): GatewayError {
  const write = (given: string) =>
    `Invalid value: '${given}'. Supported values are: ${supportedValues(schema)}.`;
  return errorQuoting("invalid_value", write, { param, value: brief(value) });
}

/** The error for a header: its value, and the allowed values. */
export function describeHeaderFault({ param, schema, value }: Omit<SchemaFault, "keyword">): GatewayError {
  const isAnyText = schema.type === "string" && schema.enum === undefined;
  const write = (given: string) =>
    `Invalid header '${param}':${isAnyText ? "" : ` '${given}'.`} Expected ${expectedValue(schema)}.`;
  return errorQuoting("invalid_value", write, { param, value: brief(value) });
}

function missingParameter(param: string, givenNames: readonly string[] = []): GatewayError {
  const name = lastName(param);
  const misspelt = givenNames.find((given) => closestName(given, [name]) !== undefined);
  const hint = misspelt && `'${misspelt}' is unknown. Did you mean '${name}'?`;
  return errorOf("missing_required_parameter", { param }, { hint });
}

/** Names the parameter that was most likely meant, where there is one. */
export function unknownParameter(param: string, knownNames: Iterable<string> = []): GatewayError {
  const meant = closestName(lastName(param), knownNames);
  return errorOf("unknown_parameter", { param }, { hint: meant && `Did you mean '${meant}'?` });
}

/** In `limits.requests`, the name at fault is `requests`. */
function lastName(param: string): string {
  return param.slice(param.lastIndexOf(".") + 1);
}

function wrongType({ param, schema, value }: Omit<SchemaFault, "keyword">): GatewayError {
  const actual = typeOf(value);
  if (param !== "") return errorOf("invalid_type", { param, expected: expectedTypes(schema), actual });
  return new GatewayError(
    "invalid_type",
    `Invalid request body: expected an object, but got ${actual} instead.`,
  );
}

function expectedTypes(schema: JsonSchema): string {
  const names = [...new Set(branchesOf(schema).map((branch) => branch.title ?? typeName(branch)))];
  return names.length < 2
    ? (names[0] ?? "another value")
    : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function typeName(schema: JsonSchema): string {
  const [type = "value"] = [schema.type].flat().filter((name) => name !== "null");
  return withArticle(type);
}

/** The values that a scalar schema accepts, in words. */
function expectedValue(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  if (schema.enum !== undefined) return supportedValues(schema);
  if (schema.type === "integer") return `a whole number${bounds(minimum, maximum)}`;
  return `text${bounds(minLength, maxLength)}${maxLength === undefined ? "" : " characters"}`;
}

function bounds(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? "" : ` of at most ${most}`;
  return most === undefined ? ` of at least ${least}` : ` of ${least} to ${most}`;
}

function supportedValues(schema: JsonSchema): string {
  const values = (schema.enum ?? []).filter((value) => value !== null).map((value) => `'${value}'`);
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")}, and ${values.at(-1)}`;
}

function typeOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return withArticle(typeof value);
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Long enough for the caller to recognise the value. */
function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 64 ? `${text.slice(0, 64)}...` : text;
}
