/**
 * What a type has, as a set of paths: a property (`usage/total_tokens`), the items of a list (`data/items`), the
 * values of a text that allows no others (`quality/values/low`), and whether it may be null (`quality/null`). Two types
 * are compared by comparing the sets.
 */
export type Facts = ReadonlySet<string>;

export interface Differences {
  /** Official facts that our schema lacks. */
  readonly missing: readonly string[];
  /** Facts of our schema that are not official. */
  readonly invented: readonly string[];
}

export function compareFacts(ours: Facts, official: Facts): Differences {
  return { missing: topmost(official, ours), invented: topmost(ours, official) };
}

/** The facts that only the first set has. What is below such a fact is left out: it goes with it. */
function topmost(facts: Facts, others: Facts): string[] {
  const alone = [...facts].filter((fact) => !others.has(fact));
  return alone.filter((fact) => !alone.some((other) => fact.startsWith(`${other}/`))).sort();
}
