import type { CacheEntry, VectorCache } from "./vector-cache.js";

/** Asks the near cache first and the far one only for what the near one lacks, and keeps what the far one had. */
export function createTwoLevelCache(near: VectorCache, far: VectorCache, nearTtlMsMax: number): VectorCache {
  return {
    async read(keys, use) {
      const found = [...(await near.read(keys, use))];
      const missing = keys.flatMap((key, position) =>
        found[position] === undefined ? [{ key, position }] : [],
      );
      if (missing.length === 0) return found;
      const fetched = await far.read(
        missing.map(({ key }) => key),
        use,
      );
      const gained: CacheEntry[] = [];
      for (const [index, { key, position }] of missing.entries()) {
        const vector = fetched[index];
        if (vector === undefined) continue;
        found[position] = vector;
        gained.push({ key, ...vector });
      }
      near.write(gained, Math.min(use.ttlMs, nearTtlMsMax));
      return found;
    },
    write(entries, ttlMs) {
      near.write(entries, ttlMs);
      far.write(entries, ttlMs);
    },
  };
}
