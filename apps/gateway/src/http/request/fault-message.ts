import { closestName } from "../../domain/close-names.js";
import { type ErrorCode, GatewayError } from "../../errors.js";
import { branchesOf, type JsonSchema } from "./json-schema.js";

/** A value that breaks a keyword of its schema. */
export interface SchemaFault {
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
  const [code, message] = explain(fault);
  return new GatewayError(code, message, fault.param === "" ? {} : { param: fault.param });
}

/** The error for a header: what it is, and what it may be. */
export function describeHeaderFault({ param, schema, value }: Omit<SchemaFault, "keyword">): GatewayError {
  const given = schema.type === "string" && schema.enum === undefined ? "" : ` '${brief(value)}'.`;
  return new GatewayError(
    "invalid_value",
    `Invalid header '${param}':${given} Expected ${expectedValue(schema)}.`,
    { param },
  );
}

function explain(fault: SchemaFault): readonly [code: ErrorCode, message: string] {
  const { keyword, param, schema, value } = fault;
  switch (keyword) {
    case "additionalProperties":
      return ["unknown_parameter", unknownParameter(param, fault.knownNames)];
    case "required":
      return ["missing_required_parameter", missingParameter(param, fault.givenNames)];
    case "enum":
    case "const":
      return [
        "invalid_value",
        `Invalid value: '${brief(value)}'. Supported values are: ${supportedValues(schema)}.`,
      ];
    case "minimum":
      return [
        "integer_below_min_value",
        `Invalid '${param}': ${brief(value)} is below the minimum of ${schema.minimum}.`,
      ];
    case "maximum":
      return [
        "integer_above_max_value",
        `Invalid '${param}': ${brief(value)} is above the maximum of ${schema.maximum}.`,
      ];
    case "minLength":
      return ["empty_string", `Invalid '${param}': it cannot be an empty string.`];
    case "maxLength":
      return [
        "string_above_max_length",
        `Invalid '${param}': it is longer than ${schema.maxLength} characters.`,
      ];
    case "minItems":
      return ["empty_array", `Invalid '${param}': array cannot be empty.`];
    case "maxItems":
      return [
        "array_above_max_length",
        `Invalid '${param}': array length must be ${schema.maxItems} or less.`,
      ];
    case "uniqueItems":
      return ["invalid_value", `Invalid '${param}': its items must be unique.`];
    case "minProperties":
      return ["missing_required_parameter", "The request body is empty: send at least one field to change."];
    case "pattern":
      return [
        "invalid_value",
        `Invalid value for '${param}': '${brief(value)}'. Expected ${schema["x-expected"] ?? "another value"}.`,
      ];
    default:
      return ["invalid_type", wrongType({ param, schema, value })];
  }
}

function missingParameter(param: string, givenNames: readonly string[] = []): string {
  const name = lastName(param);
  const misspelt = givenNames.find((given) => closestName(given, [name]) !== undefined);
  const hint = misspelt === undefined ? "" : ` '${misspelt}' is unknown. Did you mean '${name}'?`;
  return `Missing required parameter: '${param}'.${hint}`;
}

/** Names the parameter that was most likely meant, where there is one. */
export function unknownParameter(param: string, knownNames: Iterable<string> = []): string {
  const meant = closestName(lastName(param), knownNames);
  return `Unknown parameter: '${param}'.${meant === undefined ? "" : ` Did you mean '${meant}'?`}`;
}

/** In `limits.requests`, the name at fault is `requests`. */
function lastName(param: string): string {
  return param.slice(param.lastIndexOf(".") + 1);
}

function wrongType({ param, schema, value }: Omit<SchemaFault, "keyword">): string {
  if (param === "") return `Invalid request body: expected an object, but got ${typeOf(value)} instead.`;
  return `Invalid type for '${param}': expected ${expectedTypes(schema)}, but got ${typeOf(value)} instead.`;
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

/** What a schema of a single value accepts, in words. */
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
