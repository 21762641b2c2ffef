/** A vector as the cache keeps it, with the tokens it stands for. */
export interface CachedVector {
  readonly floats: Float32Array;
  readonly tokens: number;
  /** The numbers as JSON, where somebody has written them before. */
  readonly json?: Buffer | undefined;
}

/** How what is read will be used. */
export interface CacheUse {
  /** How long a level that keeps what another one had may keep it. */
  readonly ttlMs: number;
  /** In which form it leaves, so that a level may keep that form as well. */
  readonly encoding: "float" | "base64";
}

export interface CacheEntry extends CachedVector {
  readonly key: string;
}

/** Where vectors are kept. It may lose any of them at any time, and it never fails: what it cannot give is a miss. */
export interface VectorCache {
  /** One entry for each key, in the order of the keys. */
  read(keys: readonly string[], use: CacheUse): Promise<readonly (CachedVector | undefined)[]>;
  /** Returns at once; the answer does not wait for it. */
  write(entries: readonly CacheEntry[], ttlMs: number): void;
}

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
