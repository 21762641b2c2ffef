import { closestName } from "@model-gateway/domain/close-names";
import { isObject } from "@model-gateway/runtime/json";
import { z } from "zod";
import type { Fault } from "./files/read-yaml.js";

/** The faults in one schema issue. */
export function faultsOfIssue(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === "unrecognized_keys") {
    const messages = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      path: [...issue.path, key],
      message: messages[index] ?? issue.message,
    }));
  }
  if (issue.code === "invalid_union") {
    const meant = meantBranch(issue.errors);
    if (meant !== undefined)
      return meant.flatMap((inner) => faultsOfIssue({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  if (issue.path.length === 0 && issue.code === "invalid_type")
    return [{ path: [], message: "the file must be a mapping with the keys upstreams and models" }];
  return [{ path: issue.path, message: issue.message }];
}

/** The branch of a union that the operator meant: its faults lie inside the value, and it has the fewest. */
function meantBranch(branches: readonly (readonly z.core.$ZodIssue[])[]) {
  const inside = branches.filter((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
  return inside.filter((issues) => issues.length > 0).sort((one, other) => one.length - other.length)[0];
}

/** Explains the fix. Values are never quoted, because they may be secrets. */
export function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue);
    case "invalid_value":
      return `${required(issue.input)}${oneOf(issue.values, issue.input)}`;
    case "invalid_union":
      return Array.isArray(issue.options) ? explainDiscriminator(issue) : anyOf(issue.errors);
    case "invalid_key":
      return "is not a valid name; use 1 to 256 characters";
    case "unrecognized_keys":
      return issue.keys.map((key) => explainKey(key, issue.inst)).join("\n");
    case "too_small":
      return explainBound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return explainBound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_format":
    case "invalid_element":
    case "not_multiple_of":
      return "is not valid here";
    default:
      return undefined;
  }
}

/** An unknown discriminator value, such as a `type` or `provider`. */
function explainDiscriminator(issue: z.core.$ZodRawIssue): string {
  const options: readonly unknown[] = Array.isArray(issue.options) ? issue.options : [];
  const written = isObject(issue.input) ? issue.input[String(issue.discriminator)] : undefined;
  // A key that may be absent has undefined among its values.
  const known = options.filter((option) => option !== undefined);
  return `${required(written)}${oneOf(known, written)}`;
}

function explainKey(key: string, schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const closest = closestName(key, known);
  if (closest !== undefined) return `is not a known key; did you mean ${closest}?`;
  return `is not a known key${known.length === 0 ? "" : `; known keys: ${known.join(", ")}`}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping of keys to values",
  record: "a mapping of names to values",
};

function explainType({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  return `${required(input)}must be ${typeNames[expected] ?? expected}`;
}

/** The words before "must be": a key without a value counts as absent. */
function required(input: unknown): string {
  if (input === null) return "is empty; it ";
  return input === undefined ? "is required; it " : "";
}

function oneOf(values: readonly unknown[], written: unknown): string {
  if (values.length === 1) return `must be ${values[0]}`;
  const closest = typeof written === "string" ? closestName(written, values.map(String)) : undefined;
  return `must be one of: ${values.join(", ")}${closest === undefined ? "" : `; did you mean ${closest}?`}`;
}

/** Joins the values that each branch of a union accepts. */
function anyOf(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const messages = new Set(
    branches.flat().map(({ message }) => message.replace(/^(is (empty|required); it )?must be /, "")),
  );
  return `must be ${[...messages].join(", or ")}`;
}

function explainBound(origin: string, bound: string, limit: number | bigint): string {
  if (origin === "string") return `must have ${bound} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `must have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `must be ${bound} ${limit}`;
}
