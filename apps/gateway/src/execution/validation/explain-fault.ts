import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import { describeFault, describeHeaderFault } from "./fault-message.js";
import { branchesOf, type JsonSchema } from "./json-schema.js";
import type { Operation } from "./spec.js";

/** A fault as the validator reports it: where, and which keyword of the schema is broken. */
export interface ValidatorFault {
  /** Such as `/body/input/3`. */
  readonly path: string;
  /** Such as `type.openapi.validation`. */
  readonly errorCode?: string;
  readonly message?: string;
}

/** An invalid request, and the schemas that it was validated against. */
interface InvalidRequest {
  readonly operation: Pick<Operation, "query" | "headers" | "pathParameters">;
  /** Of the body. */
  readonly schema: JsonSchema | undefined;
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Turns the faults of the validator into one error that names the field at fault. */
export function explainFault(faults: readonly ValidatorFault[], request: InvalidRequest): GatewayError {
  const [furthest] = [
    ...faults.filter((fault) => isOfMeantForm(fault, request)).sort(byImportance),
    ...[...faults].sort(byImportance),
  ];
  const fault = faults.find((one) => isOfWholeList(one, furthest)) ?? furthest;
  const steps = stepsOf(fault?.path ?? "");
  if (fault?.path.startsWith("/query/")) return explainQuery(fault, steps, request);
  if (!fault?.path.startsWith("/body")) return explainOther(fault, steps, request);
  if (namesFile(steps, request.body)) return filesNotSupported(steps);
  const { body } = request;
  const unmatched = explainVariant(request, steps);
  if (unmatched !== undefined) return unmatched;
  const keyword = keywordOf(fault);
  const schema = schemaAt(request.schema, { steps, keyword, body });
  const parent = schemaAt(request.schema, { steps: steps.slice(0, -1), keyword: "properties", body });
  return describeFault({
    keyword,
    param: toParam(steps),
    schema,
    value: valueAt(body, steps),
    knownNames: Object.keys(parent.properties ?? {}),
    givenNames: keyword === "required" ? unknownNames(valueAt(body, steps.slice(0, -1)), parent) : [],
  });
}

/** An object that may have several forms, which its `type` tells apart. */
interface Variants {
  readonly value: Readonly<Record<string, unknown>>;
  readonly variants: readonly JsonSchema[];
  /** The form that the caller meant. Undefined if `type` is missing or unknown. */
  readonly meant: JsonSchema | undefined;
}

/** Undefined if there is no such object at this path. */
function variantsAt({ schema, body }: InvalidRequest, steps: readonly string[]): Variants | undefined {
  const value = valueAt(body, steps);
  if (!isObject(value)) return undefined;
  const { oneOf = [] } = schemaAt(schema, { steps, keyword: "oneOf", body });
  const variants = oneOf.flatMap(branchesOf).filter(({ properties }) => properties?.type?.enum !== undefined);
  if (variants.length < 2) return undefined;
  return { value, variants, meant: variants.find((one) => typesOf(one).includes(value.type)) };
}

function typesOf({ properties }: JsonSchema): readonly unknown[] {
  return properties?.type?.enum ?? [];
}

/** Whether a fault is of the form that the caller meant. The validator reports those of every form. */
function isOfMeantForm(fault: ValidatorFault, request: InvalidRequest): boolean {
  // An unknown name is explained by the whole object.
  if (keywordOf(fault) === "additionalProperties") return true;
  const steps = stepsOf(fault.path);
  const { meant } = variantsAt(request, steps.slice(0, -1)) ?? {};
  return meant === undefined || Object.hasOwn(meant.properties ?? {}, steps.at(-1) ?? "");
}

/** A `type` that is missing or unknown, or a field that the meant form does not have. */
function explainVariant(request: InvalidRequest, steps: readonly string[]): GatewayError | undefined {
  const parent = steps.slice(0, -1);
  const found = variantsAt(request, parent);
  if (found === undefined) return undefined;
  const { value, variants, meant } = found;
  const param = (name: string) => toParam([...parent, name]);
  if (meant === undefined) {
    const schema = { enum: variants.flatMap(typesOf) };
    const keyword = "type" in value ? "enum" : "required";
    return describeFault({ keyword, param: param("type"), schema, value: value.type });
  }
  const knownNames = Object.keys(meant.properties ?? {});
  const unknown = Object.keys(value).find((name) => !knownNames.includes(name));
  if (unknown === undefined) return undefined;
  const keyword = "additionalProperties";
  return describeFault({ keyword, param: param(unknown), schema: {}, value: undefined, knownNames });
}

/** The official API also takes the id of an uploaded file. The fault may be that, or the missing URL beside it. */
function namesFile(steps: readonly string[], body: unknown): boolean {
  const parent = valueAt(body, steps.slice(0, -1));
  return steps.length > 1 && isObject(parent) && "file_id" in parent;
}

function filesNotSupported(steps: readonly string[]): GatewayError {
  const param = toParam([...steps.slice(0, -1), "file_id"]);
  return new GatewayError(
    "unsupported_parameter",
    `Unsupported parameter: '${param}'. The gateway stores no files; send 'image_url' with a data URL or a link.`,
    { param },
  );
}

/** Enough to find a misspelt name in, whatever a caller sends. */
const unknownNamesMax = 50;

function unknownNames(value: unknown, { properties = {} }: JsonSchema): string[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .slice(0, unknownNamesMax)
    .filter((name) => !Object.hasOwn(properties, name));
}

/** A fault in a header or in the path. */
function explainOther(
  fault: ValidatorFault | undefined,
  [name = ""]: readonly string[],
  { operation, headers, params }: InvalidRequest,
): GatewayError {
  const header = operation.headers.get(name);
  if (fault?.path.startsWith("/headers/") && header !== undefined)
    return describeHeaderFault({ param: name, schema: header, value: headers[name] });
  const schema = operation.pathParameters.get(name);
  if (fault?.path.startsWith("/params/") && schema !== undefined)
    return describeFault({ keyword: keywordOf(fault), param: name, schema, value: params[name] });
  if (fault !== undefined && name !== "")
    return errorOf("invalid_value", { param: name, reason: fault.message ?? "it does not fit the schema" });
  // The validator reports no path for an unknown field whose name is empty.
  if (fault !== undefined && keywordOf(fault) === "additionalProperties")
    return describeFault({ keyword: "additionalProperties", param: name, schema: {}, value: undefined });
  return new GatewayError("invalid_value", fault?.message ?? "The request is not valid.");
}

function explainQuery(
  fault: ValidatorFault,
  steps: readonly string[],
  { operation, query }: InvalidRequest,
): GatewayError {
  const [name = ""] = steps;
  const schema = operation.query.get(name);
  const value = query[name];
  if (schema === undefined) {
    const knownNames = operation.query.keys();
    return describeFault({ keyword: "additionalProperties", param: name, schema: {}, value, knownNames });
  }
  if (value === "") return describeFault({ keyword: "minLength", param: name, schema, value });
  if (Array.isArray(value) && schema.type !== "array") return errorOf("duplicate_parameter", { param: name });
  const keyword = keywordOf(fault);
  if (keyword === "")
    return new GatewayError("invalid_value", fault.message ?? `Invalid '${name}'.`, { param: name });
  const inner = schemaAt(schema, { steps: steps.slice(1), keyword, body: value });
  return describeFault({ keyword, param: toParam(steps), schema: inner, value: valueAt(query, steps) });
}

/**
 * A union reports the faults of all its branches. The caller most likely meant the branch that matched furthest into
 * the value; among equals, a branch whose type matched.
 */
function byImportance(left: ValidatorFault, right: ValidatorFault): number {
  return comparePaths(right.path, left.path) || rank(left) - rank(right);
}

/**
 * Whether a fault of a whole list outweighs the furthest one. A branch that fails on the type of the first item was not
 * meant; a branch that refuses the list as a whole was.
 */
function isOfWholeList(fault: ValidatorFault, furthest: ValidatorFault | undefined): boolean {
  return furthest?.path === `${fault.path}/0` && rank(furthest) === 1 && rank(fault) === 0;
}

function rank(fault: ValidatorFault): number {
  const keyword = keywordOf(fault);
  if (keyword === "oneOf" || keyword === "anyOf" || keyword === "not") return 2;
  return keyword === "type" ? 1 : 0;
}

function comparePaths(left: string, right: string): number {
  const [leftSteps, rightSteps] = [left.split("/"), right.split("/")];
  for (const [index, step] of leftSteps.entries()) {
    const other = rightSteps[index];
    if (other === undefined) return 1;
    // NaN for names, which have no order: only positions in a list show how far a branch matched.
    const difference = Number(step) - Number(other);
    if (difference) return difference;
  }
  return leftSteps.length - rightSteps.length;
}

function keywordOf(fault: ValidatorFault): string {
  return fault.errorCode?.split(".")[0] ?? "";
}

/** Without the part of the request, such as `body`. */
function stepsOf(path: string): string[] {
  return path.split("/").slice(2).map(decodePointer);
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
  return steps.reduce<unknown>(childOf, body);
}

/** An item in a list, or a field of an object. */
function childOf(parent: unknown, step: string): unknown {
  if (Array.isArray(parent)) return parent[Number(step)];
  return isObject(parent) ? parent[step] : undefined;
}

/** Finds the schema at a path. In a union, it takes a branch that matches up to there and has the broken keyword. */
function schemaAt(
  schema: JsonSchema | undefined,
  { steps, keyword, body }: { steps: readonly string[]; keyword: string; body: unknown },
): JsonSchema {
  let candidates: JsonSchema[] = schema === undefined ? [] : [schema];
  let value = body;
  for (const step of steps) {
    // The items before the one at fault were valid, so the first of them shows which branch was meant.
    const validItems = Array.isArray(value) && Number(step) > 0 ? [value[0]] : [];
    candidates = candidates.flatMap(branchesOf).flatMap((candidate) => {
      const inner = /^\d+$/.test(step) ? candidate.items : candidate.properties?.[step];
      return inner === undefined || !validItems.every((item) => isOfType(item, inner)) ? [] : [inner];
    });
    value = childOf(value, step);
  }
  const [first] = candidates;
  if (keyword === "type" || keyword.endsWith("Of")) {
    return candidates.length > 1 ? { oneOf: candidates } : (first ?? {});
  }
  return candidates.flatMap(branchesOf).find((candidate) => keyword in candidate) ?? first ?? {};
}

function isOfType(value: unknown, schema: JsonSchema): boolean {
  const types = branchesOf(schema).flatMap(({ type }) => type);
  if (Array.isArray(value)) return types.includes("array");
  return types.includes(typeof value) || (typeof value === "number" && types.includes("integer"));
}
