import { type ErrorCode, GatewayError } from "../../errors.js";
import { branchesOf, type JsonSchema } from "./json-schema.js";

/** A value that breaks a keyword of its schema. */
export interface Fault {
  /** Such as `maxItems`. */
  readonly keyword: string;
  /** Such as `input[3]`; empty for the whole body. */
  readonly param: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** The error for a fault, with OpenAI's code and wording where OpenAI has them. */
export function describeFault(fault: Fault): GatewayError {
  const [code, message] = explain(fault);
  return new GatewayError(code, message, fault.param === "" ? {} : { param: fault.param });
}

function explain({ keyword, param, schema, value }: Fault): readonly [code: ErrorCode, message: string] {
  switch (keyword) {
    case "additionalProperties":
      return ["unknown_parameter", `Unknown parameter: '${param}'.`];
    case "required":
      return ["missing_required_parameter", `Missing required parameter: '${param}'.`];
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
        `Invalid value for '${param}': '${brief(value)}' does not match the pattern ${schema.pattern}.`,
      ];
    default:
      return ["invalid_type", wrongType({ param, schema, value })];
  }
}

function wrongType({ param, schema, value }: Omit<Fault, "keyword">): string {
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
