import { GatewayError } from "../../errors.js";
import type { JsonSchema } from "./spec.js";

/** A fault as the validator reports it: where, and which keyword of the schema is broken. */
export interface ValidatorFault {
  /** Such as `/body/input/3`. */
  readonly path: string;
  /** Such as `type.openapi.validation`. */
  readonly errorCode?: string;
  readonly message?: string;
}

/** What was sent, and the schemas that it was held against. */
export interface ExplainedRequest {
  readonly schema: JsonSchema | undefined;
  readonly body: unknown;
  readonly querySchemas: ReadonlyMap<string, JsonSchema>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Says in a sentence what is wrong with a request, and names the field. */
export function explainFault(faults: readonly ValidatorFault[], request: ExplainedRequest): GatewayError {
  const [fault] = [...faults].sort(byImportance);
  const steps = (fault?.path ?? "").split("/").slice(2).map(decodePointer);
  if (fault?.path.startsWith("/query/")) return explainQuery(fault, steps, request);
  if (fault === undefined || !fault.path.startsWith("/body")) {
    return new GatewayError(
      "invalid_value",
      fault?.message ?? "The request is not valid.",
      steps[0] ? { param: steps[0] } : {},
    );
  }
  const param = toParam(steps);
  const keyword = keywordOf(fault);
  const schema = schemaAt(request.schema, { steps, keyword, body: request.body });
  return sentence({ keyword, param, schema, value: valueAt(request.body, steps) });
}

function explainQuery(
  fault: ValidatorFault,
  steps: readonly string[],
  { querySchemas, query }: ExplainedRequest,
): GatewayError {
  const [name = ""] = steps;
  const schema = querySchemas.get(name);
  const value = query[name];
  if (schema === undefined)
    return sentence({ keyword: "additionalProperties", param: name, schema: {}, value });
  if (value === "") return sentence({ keyword: "minLength", param: name, schema, value });
  if (Array.isArray(value) && schema.type !== "array")
    return new GatewayError("duplicate_parameter", `The parameter '${name}' was sent more than once.`, {
      param: name,
    });
  const keyword = keywordOf(fault);
  if (keyword === "")
    return new GatewayError("invalid_value", fault.message ?? `Invalid '${name}'.`, { param: name });
  const inner = schemaAt(schema, { steps: steps.slice(1), keyword, body: value });
  return sentence({ keyword, param: toParam(steps), schema: inner, value: valueAt(query, steps) });
}

interface Explained {
  readonly keyword: string;
  readonly param: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

function sentence({ keyword, param, schema, value }: Explained): GatewayError {
  const at = { param };
  switch (keyword) {
    case "additionalProperties":
      return new GatewayError("unknown_parameter", `Unknown parameter: '${param}'.`, at);
    case "required":
      return new GatewayError("missing_required_parameter", `Missing required parameter: '${param}'.`, at);
    case "enum":
    case "const":
      return new GatewayError(
        "invalid_value",
        `Invalid value: '${brief(value)}'. Supported values are: ${choices(schema)}.`,
        at,
      );
    case "minimum":
      return new GatewayError(
        "integer_below_min_value",
        `Invalid '${param}': ${brief(value)} is below the minimum of ${schema.minimum}.`,
        at,
      );
    case "maximum":
      return new GatewayError(
        "integer_above_max_value",
        `Invalid '${param}': ${brief(value)} is above the maximum of ${schema.maximum}.`,
        at,
      );
    case "minLength":
      return new GatewayError("empty_string", `Invalid '${param}': it cannot be an empty string.`, at);
    case "maxLength":
      return new GatewayError(
        "string_above_max_length",
        `Invalid '${param}': it is longer than ${schema.maxLength} characters.`,
        at,
      );
    case "minItems":
      return new GatewayError("empty_array", `Invalid '${param}': array cannot be empty.`, at);
    case "maxItems":
      return new GatewayError(
        "array_above_max_length",
        `Invalid '${param}': array length must be ${schema.maxItems} or less.`,
        at,
      );
    case "uniqueItems":
      return new GatewayError("invalid_value", `Invalid '${param}': it names something twice.`, at);
    case "minProperties":
      return new GatewayError("missing_required_parameter", "The request body says nothing.");
    case "pattern":
      return new GatewayError(
        "invalid_value",
        `Invalid value for '${param}': '${brief(value)}' does not have the form ${schema.pattern}.`,
        at,
      );
    default:
      if (param === "") {
        return new GatewayError(
          "invalid_type",
          `Invalid request body: expected an object, but got ${article(value)} instead.`,
        );
      }
      return new GatewayError(
        "invalid_type",
        `Invalid type for '${param}': expected ${expected(schema)}, but got ${article(value)} instead.`,
        at,
      );
  }
}

/**
 * A union reports the faults of all its branches. The branch that was meant is the one that got furthest into the
 * value; among those, one that is broken for another reason than its type.
 */
function byImportance(left: ValidatorFault, right: ValidatorFault): number {
  return comparePaths(right.path, left.path) || rank(left) - rank(right);
}

function rank(fault: ValidatorFault): number {
  const keyword = keywordOf(fault);
  if (keyword === "oneOf" || keyword === "anyOf") return 2;
  return keyword === "type" ? 1 : 0;
}

function comparePaths(left: string, right: string): number {
  const [leftSteps, rightSteps] = [left.split("/"), right.split("/")];
  for (const [index, step] of leftSteps.entries()) {
    const other = rightSteps[index];
    if (other === undefined) return 1;
    // Only positions in a list say how far a branch got; between names the order has no meaning.
    const difference = Number(step) - Number(other);
    if (difference) return difference;
  }
  return leftSteps.length - rightSteps.length;
}

function keywordOf(fault: ValidatorFault): string {
  return fault.errorCode?.split(".")[0] ?? "";
}

function decodePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function toParam(steps: readonly string[]): string {
  return steps
    .map((step, index) => (index > 0 && /^\d+$/.test(step) ? `[${step}]` : `${index > 0 ? "." : ""}${step}`))
    .join("");
}

function valueAt(body: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), body);
}

/** Finds the schema that a path leads to; in a union, a branch that was right up to there and has the broken keyword. */
function schemaAt(
  schema: JsonSchema | undefined,
  at: { steps: readonly string[]; keyword: string; body: unknown },
): JsonSchema {
  let candidates: JsonSchema[] = schema === undefined ? [] : [schema];
  let value = at.body;
  for (const step of at.steps) {
    const before = Array.isArray(value) && Number(step) > 0 ? [value[0]] : [];
    candidates = candidates.flatMap(branches).flatMap((candidate) => {
      const inner = /^\d+$/.test(step) ? candidate.items : candidate.properties?.[step];
      return inner === undefined || !before.every((item) => isOfType(item, inner)) ? [] : [inner];
    });
    value = isObject(value) ? value[step] : undefined;
  }
  const [whole] = candidates;
  if (at.keyword === "type" || at.keyword.endsWith("Of")) {
    return candidates.length > 1 ? { oneOf: candidates } : (whole ?? {});
  }
  return candidates.flatMap(branches).find((candidate) => at.keyword in candidate) ?? whole ?? {};
}

function isOfType(value: unknown, schema: JsonSchema): boolean {
  const types = [schema.type].flat();
  if (Array.isArray(value)) return types.includes("array");
  return types.includes(typeof value) || (typeof value === "number" && types.includes("integer"));
}

function branches(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return inner.length === 0 ? [schema] : inner.flatMap(branches);
}

function expected(schema: JsonSchema): string {
  const names = [...new Set(branches(schema).map((branch) => branch.title ?? typeName(branch)))];
  return names.length < 2
    ? (names[0] ?? "another value")
    : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function typeName(schema: JsonSchema): string {
  const [type = "value"] = [schema.type].flat().filter((name) => name !== "null");
  return withArticle(type);
}

function choices(schema: JsonSchema): string {
  const values = (schema.enum ?? []).filter((value) => value !== null).map((value) => `'${value}'`);
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")}, and ${values.at(-1)}`;
}

function article(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return withArticle(typeof value);
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** A value in a message is for recognising it, not for reading it back. */
function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 64 ? `${text.slice(0, 64)}...` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
