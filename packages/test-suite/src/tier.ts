/**
 * The tests to run. `short` is `npm test`, `rest` is the remainder in `npm run test:all`, and `all` is both. vitest
 * called by hand runs `all`: a file that is asked for by name always runs.
 */
export type Tier = "short" | "rest" | "all";

/** The tier of this run, from `TEST_TIER`. */
export const tier = readTier(process.env.TEST_TIER ?? "all");

/** The length of a property or fuzz test in this tier. */
export function lengthByTier({ short, full }: { readonly short: number; readonly full: number }): number {
  return tier === "short" ? short : full;
}

/**
 * The files of a tier, from patterns for all files. Of most tests the short tier leaves out `x.full.test.ts`; the rest has
 * those, and again `x.property.test.ts` at full length and `x.stages.test.ts` on PostgreSQL and Redis. Of slow tests, such
 * as those in a browser, the short tier has only `x.smoke.test.ts`.
 *
 * @param patterns Each ends in `.test.ts`.
 */
export function filesOfTier(
  patterns: readonly string[],
  { areSlow, wanted = tier }: { readonly areSlow: boolean; readonly wanted?: Tier },
): { include: string[]; exclude: string[] } {
  const named = (...words: readonly string[]) =>
    words.flatMap((word) => patterns.map((pattern) => pattern.replace(/\.test\.ts$/, `.${word}.test.ts`)));
  if (wanted === "all") return { include: [...patterns], exclude: [] };
  if (areSlow)
    return wanted === "short"
      ? { include: named("smoke"), exclude: [] }
      : { include: [...patterns], exclude: named("smoke") };
  return wanted === "short"
    ? { include: [...patterns], exclude: named("full") }
    : { include: named("full", "property", "stages"), exclude: [] };
}

function readTier(text: string): Tier {
  if (text === "short" || text === "rest" || text === "all") return text;
  throw new Error(`TEST_TIER is short, rest or all, not ${text}.`);
}
