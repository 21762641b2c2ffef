/**
 * Which tests run. `short` is what `npm test` runs, `rest` is what that leaves to `npm run test:all`, and `all` is both.
 * vitest called by hand runs `all`: a file that is asked for by name always runs.
 */
export type Tier = "short" | "rest" | "all";

/** The tier of this run, from `TEST_TIER`. */
export const tier = readTier(process.env.TEST_TIER ?? "all");

/** The length of a property or fuzz test in this tier. */
export function lengthByTier({ short, full }: { readonly short: number; readonly full: number }): number {
  return tier === "short" ? short : full;
}

/**
 * The files of a tier, from patterns for all files. The short tier leaves out `x.full.test.ts`. The rest has those, and
 * `x.property.test.ts` again at full length.
 *
 * @param patterns Each ends in `.test.ts`.
 */
export function filesOfTier(
  patterns: readonly string[],
  wanted: Tier = tier,
): { include: string[]; exclude: string[] } {
  const named = (suffix: string) => patterns.map((pattern) => pattern.replace(/\.test\.ts$/, suffix));
  if (wanted === "rest")
    return { include: [...named(".full.test.ts"), ...named(".property.test.ts")], exclude: [] };
  return { include: [...patterns], exclude: wanted === "short" ? named(".full.test.ts") : [] };
}

function readTier(text: string): Tier {
  if (text === "short" || text === "rest" || text === "all") return text;
  throw new Error(`TEST_TIER is short, rest or all, not ${text}.`);
}
