/**
 * The shape of a type, as a set of paths: a property (`usage/total_tokens`), list items (`data/items`), the values of
 * an enum (`quality/values/low`), its kinds (`input/is/string`), whether it may be null (`quality/null`), and whether it
 * is always there (`usage/required`). Two types are compared by comparing the sets.
 */
export type Facts = ReadonlySet<string>;

/** The kind of a value. The official types do not tell integers from other numbers. */
export type Kind = "string" | "number" | "boolean" | "list" | "object" | "file";

export interface Differences {
  /** Official facts that our schema lacks. */
  readonly missing: readonly string[];
  /** Facts of our schema that are not official. */
  readonly invented: readonly string[];
}

export function compareFacts(ours: Facts, official: Facts): Differences {
  return { missing: topmost(official, ours), invented: topmost(ours, official) };
}

/** The facts that only the first set has. Facts below such a fact are left out: they go with it. */
function topmost(facts: Facts, others: Facts): string[] {
  const alone = [...facts].filter((fact) => !others.has(fact));
  return alone.filter((fact) => !alone.some((other) => fact.startsWith(`${other}/`))).sort();
}
