import { z } from "zod";
import type { Fault } from "./read-yaml.js";

/** The faults that one issue of the schema stands for. */
export function faultsOfIssue(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: isTargetCoalesce(issue.path, key)
        ? "is a key of the model, not of a target; move it up, beside targets"
        : issue.message,
    }));
  }
  if (issue.code === "invalid_union") {
    // The branch that the operator meant is the one whose fault lies inside the value.
    const inside = issue.errors.flat().filter(({ path }) => path.length > 0);
    if (inside.length > 0)
      return inside.flatMap((inner) => faultsOfIssue({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  if (issue.path.length === 0 && issue.code === "invalid_type")
    return [{ path: [], message: "the file must be a mapping with the keys upstreams and models" }];
  return [{ path: issue.path, message: issue.message }];
}

function isTargetCoalesce(path: readonly PropertyKey[], key: string): boolean {
  return path.at(-2) === "targets" && key === "coalesce";
}

/** Explains what to write instead. Values are never quoted, because they may be secrets. */
export function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue);
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      // A key that may be absent has undefined among its values.
      return Array.isArray(issue.options)
        ? oneOf(issue.options.filter((option) => option !== undefined))
        : anyOf(issue.errors);
    case "invalid_key":
      return "is not a valid name; use 1 to 256 characters";
    case "unrecognized_keys":
      return `is not a known key${issue.inst instanceof z.ZodObject ? `; known keys: ${Object.keys(issue.inst.shape).join(", ")}` : ""}`;
    case "too_small":
      return explainBound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return explainBound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    default:
      return undefined;
  }
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
  const type = typeNames[expected] ?? expected;
  return input === undefined ? `is required; it must be ${type}` : `must be ${type}`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of: ${values.join(", ")}`;
}

/** Joins what each branch of a union accepts. */
function anyOf(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const messages = new Set(branches.flat().map(({ message }) => message.replace(/^must be /, "")));
  return `must be ${[...messages].join(", or ")}`;
}

function explainBound(origin: string, bound: string, limit: number | bigint): string {
  if (origin === "string") return `must have ${bound} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `must have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `must be ${bound} ${limit}`;
}
